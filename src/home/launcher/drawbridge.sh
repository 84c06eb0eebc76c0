#!/bin/sh
# Starts Drawbridge's bridge for an AI assistant. The Drawbridge extension writes this file and replaces it: do not edit it.
# It works in any folder and with an empty environment, and it needs no program besides the runtime that it finds.
set -u

# Settings of another program's debugger or loader must not run code in the bridge or write to its output.
unset NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE VSCODE_INSPECTOR_OPTIONS
# This makes the program of the editor a plain Node. Any other Node ignores it.
ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE

unset CDPATH
# bash takes functions from the environment, which a project's settings may set for a hook. They would run in place of these
# commands. Some shells warn about a name that is no function.
unset -f cd command date dirname false find printf pwd read readlink true umask 2>/dev/null
command=${1-}
# A project's settings may set the PATH of a hook, and the programs below would come from there.
if [ "$command" = hook ]; then
  PATH=/usr/bin:/bin
  export PATH
fi
launcher=$0
while [ -L "$launcher" ]; do
  target=$(readlink "$launcher") || break
  case $target in
    /*) launcher=$target ;;
    *) launcher=$(cd -- "$(dirname -- "$launcher")/$(dirname -- "$target")" && pwd)/${target##*/} ;;
  esac
done
case $launcher in
  */*) ;;
  *) launcher=./$launcher ;;
esac
folder=$(cd -- "${launcher%/*}" && pwd)
state=${folder%/*}
home=${HOME:-${state%/*}}

# Relative paths lead into the working directory, which is untrusted. No program from there may run.
is_absolute() {
  case $1 in /*) return 0 ;; esac
  return 1
}

# Sets `bridge` to the newest bridge that exists.
find_bridge() {
  [ -r "$folder/bridges" ] || return 1
  while read -r version bridge; do
    is_absolute "$bridge" && [ -f "$bridge" ] && return
  done <"$folder/bridges"
  # An update that no window has loaded yet is in a folder beside the version that it replaced.
  while read -r version bridge; do
    is_absolute "$bridge" || continue
    for bridge in "${bridge%/*/*/*}"/drawbridge.drawbridge-*/dist/bridge.cjs; do
      [ -f "$bridge" ] && return
    done
  done <"$folder/bridges"
  return 1
}

# Returns 0 when `runtime` is Node 20 or newer. Asking for its version costs a few milliseconds, so the remembered runtime is
# asked too: it may have been removed or replaced since, or this home folder may be on another machine now.
is_node() {
  is_absolute "$runtime" && [ -f "$runtime" ] && [ -x "$runtime" ] || return 1
  case $("$runtime" --version 2>/dev/null </dev/null) in
    v2[0-9].* | v[3-9][0-9].* | v[1-9][0-9][0-9].*) return 0 ;;
  esac
  return 1
}

remember_runtime() {
  (umask 077 && printf '%s\n' "$runtime" >"$folder/runtime") 2>/dev/null
  return 0
}

# Sets `runtime` to the first usable one of: the one that worked last, the editors' programs, known folders, the PATH.
find_runtime() {
  if [ -r "$folder/runtime" ]; then
    IFS= read -r runtime <"$folder/runtime" && is_node && return
  fi
  if [ -r "$folder/runtimes" ]; then
    while IFS= read -r runtime; do
      is_node && remember_runtime && return
    done <"$folder/runtimes"
  fi
  # Shims of version managers are left out: which Node they run depends on the working directory.
  for runtime in \
    /usr/local/bin/node \
    /usr/bin/node \
    /opt/homebrew/bin/node \
    /opt/local/bin/node \
    /home/linuxbrew/.linuxbrew/bin/node \
    /snap/bin/node \
    /run/current-system/sw/bin/node \
    "$home"/.nix-profile/bin/node \
    "${NVM_DIR:-$home/.nvm}"/versions/node/v*/bin/node \
    "${VOLTA_HOME:-$home/.volta}"/tools/image/node/*/bin/node \
    "${FNM_DIR:-$home/.local/share/fnm}"/node-versions/v*/installation/bin/node \
    "$home/Library/Application Support/fnm"/node-versions/v*/installation/bin/node \
    "$home"/.fnm/node-versions/v*/installation/bin/node \
    "${ASDF_DATA_DIR:-$home/.asdf}"/installs/nodejs/*/bin/node \
    "${MISE_DATA_DIR:-$home/.local/share/mise}"/installs/node/*/bin/node \
    "${NODENV_ROOT:-$home/.nodenv}"/versions/*/bin/node \
    "${N_PREFIX:-$home/n}"/bin/node; do
    is_node && remember_runtime && return
  done
  # A runtime from the PATH is not remembered: a folder of a repository may be on the PATH (`npm exec` puts it there), and its
  # program must not run for all other folders too.
  runtime=$(command -v node) && is_node
}

# Moves the JSON string at the start of `rest` to `token`, with its quotes and escapes.
take_string() {
  token=\"
  rest=${rest#?}
  while [ -n "$rest" ]; do
    case $rest in
      \"*)
        token=$token\"
        rest=${rest#?}
        return
        ;;
      \\*)
        token=$token\\
        rest=${rest#?}
        ;;
    esac
    after=${rest#?}
    token=$token${rest%"$after"}
    rest=$after
  done
  # The string has no end.
  token=
}

# Prints the `id` of the JSON-RPC message $1 exactly as written, or nothing when the message has none.
print_id() {
  rest=$1
  depth=0
  token=
  while [ -n "$rest" ]; do
    case $rest in
      \"*) take_string ;;
      [\{\[]*)
        depth=$((depth + 1))
        rest=${rest#?}
        ;;
      [\}\]]*)
        depth=$((depth - 1))
        rest=${rest#?}
        ;;
      :*)
        rest=${rest#?}
        [ "$depth:$token" = '1:"id"' ] || continue
        while case $rest in [[:space:]]*) true ;; *) false ;; esac do rest=${rest#?}; done
        case $rest in
          \"*) take_string ;;
          *) token=${rest%%[!0-9.eE+-]*} ;;
        esac
        printf '%s' "$token"
        return
        ;;
      *) rest=${rest#?} ;;
    esac
  done
}

# Reports $1 to the user on stderr, and to the assistant as the answer to its first request, which it shows. Then exits.
# $1 is plain text without quotes and backslashes.
fail() {
  printf 'drawbridge: %s\ndrawbridge: This launcher is %s\n' "$1" "$folder/drawbridge" >&2
  case $command in
    doctor | guard | --help | --version) exit 1 ;;
  esac
  [ -t 0 ] && exit 1
  IFS= read -r request
  id=$(print_id "$request")
  [ -n "$id" ] && printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"%s"}}\n' "$id" "$1"
  exit 1
}

# Sets `runtime` for a hook: the one that worked last, else a program of an editor. Asking for its version would slow down each edit,
# and a project's settings may set the PATH and the other variables of a hook.
find_hook_runtime() {
  for list in "$folder/runtime" "$folder/runtimes"; do
    [ -r "$list" ] || continue
    while IFS= read -r runtime; do
      is_absolute "$runtime" && [ -f "$runtime" ] && [ -x "$runtime" ] && return
    done <"$list"
  done
  return 1
}

# Answers a hook without its program: refuses the call when it may be in a guarded folder, and otherwise lets it pass, so that an
# assistant works as before in folders that nobody guards. The records are those of src/home/guards.ts.
answer_without_program() {
  # The hook of a moment decides nothing. A refusal would keep some assistants from ending their turn.
  [ "$moment" = moment ] && exit 0
  here=$(pwd -P)
  input=
  while IFS= read -r line || [ -n "$line" ]; do input=$input$line; done
  is_off && exit 0
  for record in "$state"/guards/*; do
    [ -f "$record" ] && [ ! -L "$record" ] && [ -r "$record" ] || continue
    # A record that is a day old counts no more. On a system without `find`, every record counts.
    [ -n "$(find "$record" -mmin +1440 2>/dev/null)" ] && continue
    {
      IFS= read -r guard_state && IFS= read -r owner || continue
      [ "$guard_state" = open ] || continue
      while IFS= read -r guarded; do
        is_absolute "$guarded" || continue
        case $here/ in "$guarded"/*) refuse_edit ;; esac
        # Wherever the path stands: in a field, or in the text of a patch. A longer path that ends in it is refused too.
        case $input in *"$guarded"/*) refuse_edit ;; esac
      done
    } <"$record"
  done
  exit 0
}

# Returns 0 while the user has switched the guard off, by the record of src/home/guardsOff.ts: a private file of the last 8 hours and of
# this boot. Without the id of the boot, as on macOS, the guard stays on.
is_off() {
  off=$state/guards-off
  [ -n "$(find "$off" -type f -perm 600 -mmin -480 2>/dev/null)" ] || return 1
  read -r boot </proc/sys/kernel/random/boot_id && IFS= read -r record <"$off" || return 1
  case $record in *'"until":'*"\"$boot\""*) ;; *) return 1 ;; esac
  until=${record#*'"until":'}
  until=${until%%[!0-9]*}
  now=$(date +%s)
  [ "$until" -gt "${now}000" ] && [ "$until" -le "$((now + 28800))000" ]
} 2>/dev/null

# Exit code 2 makes an assistant refuse its call and tell its model what is on stderr.
refuse_edit() {
  printf '%s\n' 'Drawbridge guards this folder, but the program that asks the user cannot run on this machine, so this edit or command was refused. Tell the user to open a window with Drawbridge, or to run "drawbridge doctor".' >&2
  exit 2
}

if [ "$command" = hook ]; then
  moment=${2-}
  # A project's settings may set this variable for a hook.
  DRAWBRIDGE_HOME=$state
  export DRAWBRIDGE_HOME
  find_bridge && [ -f "${bridge%/*}/hook.cjs" ] && find_hook_runtime || answer_without_program
  # Without `exec`, so that a program that cannot start, or is killed, does not let the call pass: assistants go on after most codes.
  # It ends by itself with the assistant.
  DRAWBRIDGE_PARENT=$PPID
  export DRAWBRIDGE_PARENT
  "$runtime" "${bridge%/*}/hook.cjs" "$@"
  code=$?
  case $code in 0 | 2) exit "$code" ;; esac
  answer_without_program
fi
find_bridge || fail 'The Drawbridge extension is not installed here any more, or was updated and not started since. To use it, install it in your editor and open a window. Otherwise remove the drawbridge entry from the configuration of this assistant, and delete the launcher that the entry names.'
find_runtime || fail 'Drawbridge found no program to run its bridge with. Open a window with Drawbridge in your editor once, or install Node.js 20 or newer (https://nodejs.org), then start this assistant again.'

# The bridge uses the windows of the same state folder, whatever HOME the assistant passes on, and never a relative path.
is_absolute "${DRAWBRIDGE_HOME-}" || DRAWBRIDGE_HOME=$state
export DRAWBRIDGE_HOME
# `exec` leaves no shell in between, so the bridge gets signals and input itself.
exec "$runtime" "$bridge" "$@"
