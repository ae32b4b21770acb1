import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends process groups that outlive this process, however it ends: a small shell holds the read end of a pipe, and when the pipe
 * closes (also after a kill -9) it sends TERM, then KILL, to every group it was told of and not told to forget.
 */
const script = `
groups=""
while read -r verb group; do
  rest=""
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$verb" = watch ] && groups="$groups $group"
done
[ -z "$groups" ] && exit 0
for one in $groups; do kill -TERM "-$one" 2>/dev/null; done
waited=0
while [ $waited -lt 50 ]; do
  alive=""
  for one in $groups; do kill -0 "-$one" 2>/dev/null && alive=yes; done
  [ -z "$alive" ] && exit 0
  sleep 0.1
  waited=$((waited + 1))
done
for one in $groups; do kill -KILL "-$one" 2>/dev/null; done
`;

let reaper: ChildProcess | null = null;

function tell(verb: 'watch' | 'forget', group: number): void {
  if (reaper === null) {
    reaper = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.unref();
    reaper.on('exit', () => {
      reaper = null;
    });
    reaper.stdin?.on('error', () => undefined);
    if (reaper.stdin !== null && 'unref' in reaper.stdin && typeof reaper.stdin.unref === 'function')
      reaper.stdin.unref();
  }
  reaper.stdin?.write(`${verb} ${group}\n`);
}

export const watchGroup = (group: number): void => tell('watch', group);
export const forgetGroup = (group: number): void => {
  if (reaper !== null) tell('forget', group);
};
