# A toy that leaves processes behind in every way, none of which wants to end.
# Its argument is a number of seconds that nobody else sleeps: by it they are found.
trap "" HUP TERM INT
deaf='trap "" HUP TERM INT; sleep'
# A child, a daemon without session, terminal and environment, and one that was orphaned twice.
sh -c "$deaf $1; :" &
env -i setsid sh -c "$deaf $1; :" </dev/null >/dev/null 2>&1 &
(env -i setsid sh -c "(sh -c '$deaf $1; :' &) & exit" </dev/null >/dev/null 2>&1 &)
# One that begins only when it is to be ended.
env -i setsid sh -c "$deaf 0.3; env -i setsid sleep $1" &
while [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -ao "sleep $1 " | wc -l)" -lt 3 ]; do
    sleep 0.01
done
echo up
while :; do sleep "$1"; done
