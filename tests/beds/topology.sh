#!/bin/sh
# topology.sh ADDRESS: the rack of a host of the bed, in the manner of Hadoop's topology scripts.
case $1 in
  10.77.0.14) echo /rack2 ;;
  *) echo "$1 is not of this bed" >&2; exit 1 ;;
esac
