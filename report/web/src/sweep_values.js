// Values of a sweep's keys, and means with their intervals, as texts.
import { number } from "./format.js";

export const valueText = (value) =>
  Array.isArray(value) ? value.map(valueText).join(", ") : `${value}`;
export const sameValue = (value) => JSON.stringify(value);
export const meanText = (mean) => (mean === null ? "–" : number(mean));
export const intervalText = (interval) =>
  interval ? `${number(interval[0])}..${number(interval[1])}` : "–";
