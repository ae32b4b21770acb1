import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import { mainInput, replaceFile } from '../plant.ts';
import { encode, type Fault, folderOf, nameOf } from './fault.ts';

const run = (...command: string[]) => ({ op: 'run' as const, command, why: 'It is part of the setup' });

export const setupFaults: readonly Fault[] = [
  {
    kind: 'the setup misses a file',
    plant: (draft) => {
      draft.operations = draft.operations.filter(({ op }) => op !== 'place-file');
      return true;
    },
  },
  {
    kind: 'the script alone misses a file',
    plant: (draft) => {
      draft.script = renderSetupScript(draft.operations.filter(({ op }) => op !== 'place-file'));
      return true;
    },
  },
  {
    kind: 'the setup places another file',
    plant: (draft) => {
      const path = mainInput(draft);
      const before = draft.files.get(path) ?? encode('');
      replaceFile(draft, path, encode('Not what it was.'));
      draft.files.set(path, before);
      return true;
    },
  },
  {
    kind: 'the setup fails when it runs again',
    plant: (draft) => {
      draft.operations.push({ op: 'run', command: ['mkdir', '/home/user/once'], why: 'A folder' });
      return true;
    },
  },
  {
    kind: 'the setup adds to a file each time',
    plant: (draft) => {
      const command = ['bash', '-c', 'echo started >> /home/user/started.log'];
      draft.operations.push({ op: 'run', command, why: 'A log' });
      return true;
    },
  },
  {
    kind: 'the file cannot be written',
    plant: (draft) => {
      draft.operations = draft.operations.map((one) => (one.op === 'place-file' ? { ...one, mode: '0444' } : one));
      return true;
    },
  },
  {
    kind: 'the folder cannot be written',
    plant: (draft) => {
      const command = ['chmod', '0555', folderOf(mainInput(draft))];
      draft.operations.push({ op: 'run', command, why: 'Rights' });
      return true;
    },
  },
  {
    kind: 'the application never shows its window',
    plant: (draft) => {
      draft.operations.push({
        op: 'wait-window',
        window: { by: 'title', text: 'A window that nobody opens' },
        timeoutSeconds: 2,
      });
      return true;
    },
  },
  {
    kind: 'the application opens what is not there',
    plant: (draft) => {
      draft.operations.push({ op: 'open', application: 'libreoffice-calc', path: '/home/user/Documents/gone.xlsx' });
      return true;
    },
  },
  {
    kind: 'the setup works this year alone',
    plant: (draft) => {
      const year = new Date().getUTCFullYear();
      draft.operations.push({ op: 'run', command: ['bash', '-c', `test "$(date +%Y)" -le ${year}`], why: 'A date' });
      return true;
    },
  },
  {
    kind: 'the setup needs the network',
    plant: (draft) => {
      draft.operations.push(
        run('curl', '-sSf', '-m', '5', '-o', '/home/user/Documents/rates.csv', 'https://example.org/rates.csv'),
      );
      return true;
    },
  },
  {
    kind: 'the setup calls a program that is not there',
    plant: (draft) => {
      draft.operations.push(run('prepare-orders', '--all'));
      return true;
    },
  },
  {
    kind: 'the setup changes the file after it has placed it',
    plant: (draft) => {
      const path = mainInput(draft);
      draft.operations.push(run('bash', '-c', `printf x >> '${path}'`));
      return true;
    },
  },
  {
    kind: 'the setup writes the date of the day into a file',
    plant: (draft) => {
      draft.operations.push(run('bash', '-c', `date +%F > '${folderOf(mainInput(draft))}/as-of.txt'`));
      return true;
    },
  },
  {
    kind: 'the setup draws lots',
    plant: (draft) => {
      const path = `${folderOf(mainInput(draft))}/ticket.txt`;
      draft.operations.push(run('bash', '-c', `test -e '${path}' || echo "$RANDOM$RANDOM" > '${path}'`));
      return true;
    },
  },
  {
    kind: 'somebody else has the file open',
    plant: (draft) => {
      const path = mainInput(draft);
      const lock = `${folderOf(path)}/.~lock.${nameOf(path)}#`;
      const at = draft.operations.findIndex(({ op }) => op === 'place-file') + 1;
      draft.operations.splice(
        at,
        0,
        run('bash', '-c', `test -e '${lock}' || echo ',anna,desk-4,01.02.2025 10:00,file:///home/anna;' > '${lock}'`),
      );
      return true;
    },
  },
  {
    kind: 'a program takes the work back',
    plant: (draft) => {
      const path = mainInput(draft);
      const loop = `while sleep 0.4; do cmp -s /tmp/first "${path}" || cp /tmp/first "${path}"; done`;
      const start = `test -e /tmp/first || { cp "${path}" /tmp/first; setsid -f bash -c '${loop}' </dev/null >/dev/null 2>&1; }`;
      draft.operations.push(run('bash', '-c', start));
      return true;
    },
  },
  {
    kind: 'the file is damaged',
    plant: (draft) => {
      const path = mainInput(draft);
      const bytes = draft.files.get(path);
      if (bytes === undefined) return false;
      replaceFile(draft, path, bytes.slice(0, Math.round(bytes.length * 0.7)));
      return true;
    },
  },
];
