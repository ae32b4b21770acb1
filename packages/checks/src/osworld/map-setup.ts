import type { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';
import { onChromium } from './map-values.ts';
import type { OsworldStep } from './osworld-task.ts';
import { screenProgram, screenScript } from './screen-steps.ts';

/** An operation of the setup; a file is still where the task says, not in the store. */
export type ImportedOperation =
  | Exclude<SetupOperation, { op: 'place-file' }>
  | { op: 'place-file'; url: string; path: string };

export interface MappedStep {
  type: string;
  operations: ImportedOperation[];
  /** Why the step does not map; undefined where it does. */
  why?: string;
}

const Download = z.object({
  files: z.array(z.object({ url: z.string().min(1), path: z.string().startsWith('/') })).min(1),
});
const Open = z.object({ path: z.string().startsWith('/') });
const Command = z.object({
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  shell: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).optional(),
});
const Window = z.object({ window_name: z.string().min(1) });

const byEnding: Record<string, string> = {
  xlsx: 'libreoffice-calc',
  xls: 'libreoffice-calc',
  ods: 'libreoffice-calc',
  csv: 'libreoffice-calc',
  docx: 'libreoffice-writer',
  doc: 'libreoffice-writer',
  odt: 'libreoffice-writer',
  pptx: 'libreoffice-impress',
  ppt: 'libreoffice-impress',
  odp: 'libreoffice-impress',
  png: 'gimp',
  jpg: 'gimp',
  jpeg: 'gimp',
  xcf: 'gimp',
  mp4: 'vlc',
  mp3: 'vlc',
  html: 'chromium',
  pdf: 'chromium',
  txt: 'text-editor',
};
const programs: Record<string, string> = {
  'google-chrome': 'chromium',
  thunderbird: 'thunderbird',
  vlc: 'vlc',
  gimp: 'gimp',
  code: 'code-editor',
  'libreoffice --calc': 'libreoffice-calc',
  'libreoffice --writer': 'libreoffice-writer',
  'libreoffice --impress': 'libreoffice-impress',
};

/** Titles of windows that are others here. */
const windows: Record<string, string> = { 'Google Chrome': 'Chromium' };

/** Arguments that join the original's own harness, not the task. */
const harness = (part: string) =>
  part.startsWith('--remote-debugging') || ['--no-audio', '--no-video-title-show', '--start-maximized'].includes(part);

/** The application that a command starts, perhaps with one file, and with nothing said besides that matters here. */
function launched(command: string | readonly string[]): { application: string; path?: string } | undefined {
  const words = (typeof command === 'string' ? command.trim().split(/\s+/) : command)
    .filter((word) => !/^[A-Z_]+=\S*$/.test(word) && !harness(word))
    .map((word, index) => (index === 0 ? word.replace(/^\/usr\/bin\//, '') : word));
  const last = words.at(-1) ?? '';
  // A file with a quote or blank in its name has come apart in a command line.
  const path = words.length > 1 && /^\/[^'"]*[^/'"]$/.test(last) ? last : undefined;
  const application = programs[(path === undefined ? words : words.slice(0, -1)).join(' ')];
  return application === undefined ? undefined : { application, ...(path === undefined ? {} : { path }) };
}

/** A click into the middle of the screen leaves the overview that the original's desktop begins with. */
const leavesOverview = (parts: readonly string[]): boolean =>
  /^python3?$/.test(parts[0] ?? '') &&
  (parts[2] ?? '')
    .split(';')
    .map((one) => one.trim())
    .every((one) =>
      /^(?:import (?:pyautogui|time)|pyautogui\.click\(\{SCREEN_WIDTH_HALF\}, \{SCREEN_HEIGHT_HALF\}\)|time\.sleep\([\d.]+\))?$/.test(
        one,
      ),
    );

const launchedName = (command: string | readonly string[]): string =>
  (typeof command === 'string' ? command.split(/\s+/) : command).find((word) => !/^[A-Z_]+=/.test(word)) ?? 'nothing';

/** Packages that setups install and that the desktop has. */
const present = new Set(['jq', 'sysstat']);

/** Names of the packages that a command line installs, when it does nothing else; undefined for any other. */
function installed(command: string): string[] | undefined {
  const parts = command.split('&&').map((part) =>
    part
      .trim()
      .replace(/^echo \{CLIENT_PASSWORD\} \| sudo -S /, '')
      .replace(/ -y\b/g, ''),
  );
  const names = parts.flatMap((part) =>
    /^apt(?:-get)? update$/.test(part)
      ? []
      : (/^apt(?:-get)? install ([\w.+ -]+)$/.exec(part)?.[1]?.split(' ') ?? [undefined]),
  );
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length && known.length > 0 ? known : undefined;
}

function mapCommand(type: string, parameters: unknown): MappedStep {
  const parsed = Command.safeParse(parameters);
  if (!parsed.success) return { type, operations: [], why: 'it has no command' };
  const { shell } = parsed.data;
  const command =
    typeof parsed.data.command === 'string' ? onChromium(parsed.data.command) : parsed.data.command.map(onChromium);
  const parts =
    typeof command === 'string'
      ? ['bash', '-c', command]
      : shell === true
        ? ['bash', '-c', command.join(' ')]
        : command;
  if (leavesOverview(parts)) return { type, operations: [] };
  const why = `The step ${type} of the imported task`;
  const onScreen = screenProgram(parts);
  const script = onScreen === undefined ? undefined : screenScript(onScreen);
  if (script !== undefined) return { type, operations: [{ op: 'run', command: ['bash', '-c', script], why }] };
  const packages = parts[0] === 'bash' ? installed(parts[2] ?? '') : undefined;
  if (packages !== undefined) {
    const lacking = packages.filter((name) => !present.has(name));
    return lacking.length > 0
      ? { type, operations: [], why: `it installs ${lacking.join(', ')}, which the desktop does not have` }
      : { type, operations: [{ op: 'run', command: ['dpkg-query', '--show', ...packages], why }] };
  }
  if (parts.some((part) => /pyautogui|\{(?:CLIENT_PASSWORD|SCREEN_)/.test(part)))
    return { type, operations: [], why: 'it operates the screen, or needs a password or size of its own' };
  const [program = '', ...rest] = parts;
  if (type === 'launch') {
    if (program === 'socat') return { type, operations: [] };
    const opened = launched(command);
    if (opened !== undefined) return { type, operations: [{ op: 'open', ...opened }] };
    return { type, operations: [], why: `it starts ${launchedName(command)}, for which there is no application here` };
  }
  return {
    type,
    operations: [
      {
        op: 'run',
        command: program === 'python' ? ['python3', ...rest] : parts,
        why,
      },
    ],
  };
}

/** What a step of a task's setup is here. */
export function mapStep({ type, parameters }: OsworldStep): MappedStep {
  switch (type) {
    case 'download': {
      const parsed = Download.safeParse(parameters);
      if (!parsed.success) return { type, operations: [], why: 'its files have no address or no absolute path' };
      return { type, operations: parsed.data.files.map(({ url, path }) => ({ op: 'place-file', url, path })) };
    }
    case 'open': {
      const parsed = Open.safeParse(parameters);
      const ending = parsed.success ? (parsed.data.path.split('.').at(-1) ?? '').toLowerCase() : '';
      const application = byEnding[ending];
      if (!parsed.success || application === undefined)
        return { type, operations: [], why: `no application is known for .${ending}` };
      return { type, operations: [{ op: 'open', application, path: parsed.data.path }] };
    }
    case 'launch':
    case 'execute':
    case 'command':
      return mapCommand(type, parameters);
    case 'activate_window': {
      const parsed = Window.safeParse(parameters);
      if (!parsed.success) return { type, operations: [], why: 'it names no window' };
      return {
        type,
        operations: [
          {
            op: 'window',
            window: { by: 'title', text: windows[parsed.data.window_name] ?? parsed.data.window_name },
            action: 'focus',
            timeoutSeconds: 30,
          },
        ],
      };
    }
    case 'sleep':
      // A setup waits for what it opens, not for a time.
      return { type, operations: [] };
    case 'chrome_open_tabs':
    case 'chrome_close_tabs':
      return { type, operations: [], why: 'it opens pages of the public web, which a sandbox does not reach' };
    case 'googledrive':
    case 'login':
      return { type, operations: [], why: 'it needs an account of another service' };
    default:
      return { type, operations: [], why: 'there is no such operation' };
  }
}
