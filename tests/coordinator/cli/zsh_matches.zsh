# zsh_matches.zsh FOLDER LINE…: what zsh offers at the end of each LINE, a match a line and an empty
# line after those of each, with the completion functions in FOLDER. A shell on a pseudo-terminal
# completes; in place of showing matches, its compadd writes them to a file.
zmodload zsh/zpty
export matches_file=$(mktemp) functions_folder=$1
shift
setup=$(mktemp)
cat >$setup <<'END'
PROMPT='ready>' RPROMPT=
fpath=($functions_folder $fpath)
autoload -Uz compinit
# The first call leaves a dump there, which spares the others a look at a thousand functions.
compinit -u -C -d $functions_folder/dump
bindkey -e
bindkey '^I' complete-word
setopt no_auto_list no_auto_menu no_beep
zstyle ':completion:*' insert-tab false
completed() {
  print -rn -- 'completed>'
  comppostfuncs=(completed)  # they are forgotten when they are called
}
comppostfuncs=(completed)
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a found
  builtin compadd -A found "$@"
  local -A suffix
  zparseopts -E S:=suffix
  for match in $found; do print -r -- "$match${suffix[-S]}" >>$matches_file; done
  builtin compadd "$@"
}
zmodload zsh/zutil
END
zpty terminal zsh -f -i
zpty -w terminal "source $setup"
# What is written before the shell edits its line may be lost, and would be waited for without end.
zpty -r terminal shown '*ready>*' >/dev/null
for line in "$@"; do
  zpty -w -n terminal $'\C-u'"$line"$'\t'
  zpty -r terminal shown '*completed>*' || exit 1
  sort -u $matches_file
  print
  : >$matches_file
done
zpty -d terminal
rm -f $matches_file $setup
