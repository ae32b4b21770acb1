import { z } from 'zod';
import { MailMessage, MailPerson, mboxOf } from './mbox.ts';

/** One line of text without control characters. */
const Line = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[^\p{Cc}]*$/u, 'one line without control characters');

/** Variables that decide which programs and libraries run, or that belong to the session. */
const reserved =
  /^(?:PATH|HOME|SHELL|USER|LOGNAME|IFS|ENV|BASH_.*|LD_.*|DISPLAY|XAUTHORITY|PS[0-4]|PYTHONPATH|PYTHONSTARTUP|NODE_OPTIONS)$/;

export const EnvironmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/, 'letters, digits and underscores')
  .refine((name) => !reserved.test(name), 'a variable that does not decide which programs run');

/** A window by a part of its title or of its class; the first that fits is meant. */
export const WindowMatch = z.strictObject({
  by: z
    .enum(['title', 'class'])
    .default('title')
    .describe('title: part of the title; class: part of the class, whatever its case.'),
  text: Line.describe('What is looked for.'),
});
export type WindowMatch = z.infer<typeof WindowMatch>;

const Seconds = z.number().int().min(1).max(600);

export const WindowBox = z.strictObject({
  x: z.number().int().min(-10_000).max(20_000),
  y: z.number().int().min(-10_000).max(20_000),
  width: z.number().int().min(50).max(20_000),
  height: z.number().int().min(50).max(20_000),
});

export const WindowAction = z.enum(['maximise', 'restore', 'minimise', 'focus', 'place']);

/** Settings of the desktop, each as the text that the script hands on. */
export const DesktopSettings = z.strictObject({
  theme: z
    .string()
    .regex(/^[\w .+-]{1,100}$/)
    .optional()
    .describe('Name of a theme of windows and controls that is installed.'),
  wallpaper: z
    .string()
    .regex(/^\/(?:[^/\0\n]+\/)*[^/\0\n]+$/)
    .optional()
    .describe('Absolute path of an image.'),
  fontScale: z.number().min(0.5).max(3).optional().describe('Factor for all texts; 1 is the usual size.'),
  keyboardLayout: z
    .string()
    .regex(/^[a-z]{2,5}$/)
    .optional()
    .describe('Layout as X knows it: us, de, fr.'),
  resolution: z
    .string()
    .regex(/^\d{3,5}x\d{3,5}$/)
    .optional()
    .describe('Size of the screen, such as 1920x1080.'),
  timeZone: z
    .string()
    .regex(/^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)*$/)
    .optional()
    .describe('Zone of programs that start afterwards, such as Europe/Berlin.'),
  locale: z
    .string()
    .regex(/^(?:C|POSIX|[a-z]{2,3}_[A-Z]{2})(?:\.UTF-8)?$/)
    .optional()
    .describe('Language and formats of programs that start afterwards, such as de_DE.UTF-8.'),
  screensaver: z.literal('off').optional().describe('off: the screen neither darkens nor locks.'),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;

export const EnvOperation = z.strictObject({
  op: z.literal('env'),
  name: EnvironmentName,
  value: z.union([z.literal(''), Line]),
});
export const WindowOperation = z.strictObject({
  op: z.literal('window'),
  window: WindowMatch,
  action: WindowAction,
  /** For `place`. */
  box: WindowBox.optional(),
  timeoutSeconds: Seconds,
});
export const WaitWindowOperation = z.strictObject({
  op: z.literal('wait-window'),
  window: WindowMatch,
  timeoutSeconds: Seconds,
});
export const DesktopOperation = z.strictObject({ op: z.literal('desktop'), settings: DesktopSettings });

const Port = z.number().int().min(1).max(65_535);

/** What shows that a service serves: a port of the desktop's own loopback that takes connections, or a file or socket that is there. */
export const ServiceReady = z.union([
  z.strictObject({ port: Port }),
  z.strictObject({
    path: z
      .string()
      .regex(/^\/(?:[^/\0\n]+\/)*[^/\0\n]+$/)
      .describe('Absolute path.'),
  }),
]);
export const ServiceName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'small letters, digits and hyphens');
export const ServiceOperation = z.strictObject({
  op: z.literal('service'),
  name: ServiceName,
  command: z.array(z.string()).min(1),
  ready: ServiceReady,
  timeoutSeconds: Seconds,
});

/** Folder names of mail that are files on every system, without links and endings that the mail program uses. */
export const MailFolderName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,60}[A-Za-z0-9])?$/, 'letters, digits, blanks and hyphens');
export const MailFolder = z.strictObject({ name: MailFolderName, messages: z.array(MailMessage).max(500) });
export type MailFolder = z.infer<typeof MailFolder>;

/** A profile of Thunderbird with an identity, and local folders with their messages. */
export const MailOperation = z.strictObject({
  op: z.literal('mail'),
  person: MailPerson,
  address: z.email(),
  folders: z.array(MailFolder).max(50),
});

export type SessionOperation =
  | z.infer<typeof EnvOperation>
  | z.infer<typeof WindowOperation>
  | z.infer<typeof WaitWindowOperation>
  | z.infer<typeof DesktopOperation>
  | z.infer<typeof ServiceOperation>
  | z.infer<typeof MailOperation>;

/** Desktop settings in the order in which they are made: zone and language before what starts with them. */
const order = [
  'timeZone',
  'locale',
  'resolution',
  'keyboardLayout',
  'theme',
  'fontScale',
  'wallpaper',
  'screensaver',
] as const;
const names: Record<(typeof order)[number], string> = {
  timeZone: 'time-zone',
  locale: 'locale',
  resolution: 'resolution',
  keyboardLayout: 'keyboard-layout',
  theme: 'theme',
  fontScale: 'font-scale',
  wallpaper: 'wallpaper',
  screensaver: 'screensaver',
};

/** The commands, word for word, that carry an operation out in a setup script. */
export function sessionCommands(operation: SessionOperation): string[][] {
  switch (operation.op) {
    case 'env':
      return [['set_env', operation.name, operation.value]];
    case 'wait-window':
      return [['wait_window', operation.window.by, operation.window.text, String(operation.timeoutSeconds)]];
    case 'window': {
      const { window, action, box, timeoutSeconds } = operation;
      const place = action === 'place' && box !== undefined ? [`${box.x},${box.y},${box.width},${box.height}`] : [];
      return [['window_state', window.by, window.text, String(timeoutSeconds), action, ...place]];
    }
    case 'service': {
      const { name, command, ready, timeoutSeconds } = operation;
      const mark = 'port' in ready ? ['port', String(ready.port)] : ['path', ready.path];
      return [['serve', name, ...mark, String(timeoutSeconds), ...command]];
    }
    case 'mail':
      return [
        ['mail_profile', operation.person, operation.address],
        ...operation.folders.map(({ name, messages }) => ['mail_folder', name, mboxOf(messages, name)]),
      ];
    case 'desktop':
      return order.flatMap((setting) => {
        const value = operation.settings[setting];
        return value === undefined ? [] : [['desktop', names[setting], String(value)]];
      });
  }
}
