import { z } from 'zod';
import type { ForgeError } from './errors.ts';
import type {
  AccessibilityTree,
  CommandResult,
  FolderEntry,
  MouseButton,
  SandboxWindow,
  ScreenFrame,
  ScreenPoint,
  ScreenRegion,
  ScrollDirection,
} from './sandbox-messages.ts';

export const SandboxTarget = z.enum(['minimal', 'full']);
export type SandboxTarget = z.infer<typeof SandboxTarget>;

/** A home folder that was kept, and the image that it belongs to. */
export const SandboxSnapshot = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  image: z.string(),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number().int(),
});
export type SandboxSnapshot = z.infer<typeof SandboxSnapshot>;

export const SandboxOptions = z.strictObject({
  target: SandboxTarget.default('minimal').describe('Which applications are there'),
  width: z.number().int().min(320).max(7680).default(1920).describe('Pixels of the screen'),
  height: z.number().int().min(240).max(4320).default(1080).describe('Pixels of the screen'),
  memoryMb: z.number().int().min(256).max(65_536).default(2048),
  cpus: z.number().min(0.1).max(64).default(1.5),
  processes: z.number().int().min(64).max(4096).default(512).describe('Processes and threads'),
  diskMb: z.number().int().min(16).max(16_384).default(512).describe('Size of the home folder, and of /tmp'),
  clock: z.iso
    .datetime({ local: true })
    .nullable()
    .default(null)
    .describe('What programs see as now when they start, e.g. 2025-03-14T09:00:00; it runs on from there'),
  timezone: z
    .string()
    .regex(/^[A-Za-z0-9_+/-]{1,64}$/)
    .default('UTC'),
  locale: z
    .string()
    .regex(/^[A-Za-z]{1,3}(_[A-Z]{2})?(\.UTF-8)?$/)
    .default('C.UTF-8'),
  snapshot: z.string().nullable().default(null).describe('Id of a snapshot whose home folder it begins with'),
  lease: z.string().max(200).default('').describe('Who uses it, for people'),
});
export type SandboxOptions = z.infer<typeof SandboxOptions>;

/** The lease of a sandbox that nobody has used yet: nothing in it is worth keeping. */
export const keptReady = 'kept ready';

/** What is known of a sandbox without asking it. */
export const SandboxInfo = z.strictObject({
  id: z.string(),
  provider: z.enum(['docker', 'bubblewrap']),
  host: z.string(),
  image: z.string(),
  lease: z.string(),
  createdAt: z.number().int(),
  state: z.enum(['running', 'ended']),
});
export type SandboxInfo = z.infer<typeof SandboxInfo>;

export interface Screenshot extends ScreenFrame {
  mediaType: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ScreenshotOptions {
  format?: 'png' | 'jpeg';
  /** 1–100, for jpeg. */
  quality?: number;
  region?: ScreenRegion;
  /** Pixels of the image; the region's without it. */
  size?: { width: number; height: number };
}

export interface PointerOptions {
  /** The image whose pixels the point counts in; without it, those of the screen. */
  on?: ScreenFrame;
  button?: MouseButton;
  /** Names of modifier keys that are held meanwhile. */
  modifiers?: readonly string[];
}

export interface CommandOptions {
  /** Milliseconds, 60,000 without. What runs longer is ended with all it has started. */
  timeoutMs?: number;
  /** Bytes kept of each of stdout and stderr; 1 MiB without, at most 16 MiB. */
  maxBytes?: number;
  /** Called with output as it comes. */
  onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  signal?: AbortSignal;
}

export interface ExecOptions extends CommandOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
}

/**
 * One desktop. Every method may fail with ForgeError `sandbox.refused` (the call can never work: a key that does not exist, a point beyond the screen, a
 * path outside, a link), `sandbox.timeout`, `sandbox.lost` (the sandbox or its display has ended) and `node.cancelled`.
 */
export interface Sandbox {
  readonly id: string;
  readonly info: SandboxInfo;
  readonly options: SandboxOptions;
  readonly screen: { width: number; height: number };
  readonly home: string;

  /** Runs one program to its end, without a shell. */
  exec(command: readonly string[], options?: ExecOptions): Promise<CommandResult>;
  /** Runs a command in a shell that keeps its folder, variables and functions; `name` tells several apart. */
  shell(command: string, options?: CommandOptions & { name?: string }): Promise<CommandResult>;
  /** Starts a program that stays. */
  launch(command: readonly string[], options?: Pick<ExecOptions, 'cwd' | 'env'>): Promise<{ pid: number }>;

  move(point: ScreenPoint, options?: Pick<PointerOptions, 'on'>): Promise<void>;
  click(point: ScreenPoint, options?: PointerOptions & { count?: 1 | 2 | 3 }): Promise<void>;
  drag(path: readonly ScreenPoint[], options?: PointerOptions & { durationMs?: number }): Promise<void>;
  scroll(
    point: ScreenPoint,
    direction: ScrollDirection,
    options?: Omit<PointerOptions, 'button'> & { clicks?: number },
  ): Promise<void>;
  /** Types any text, whatever the keyboard layout. */
  type(text: string, options?: { delayMs?: number; signal?: AbortSignal }): Promise<void>;
  /** Presses a combination. Names of X, xdotool, pyautogui and browsers are understood: `ctrl+shift+t`, `Return`, `pgdn`, `KeyA`. */
  key(
    combination: string | readonly string[],
    options?: { count?: number; action?: 'press' | 'down' | 'up' },
  ): Promise<void>;

  screenshot(options?: ScreenshotOptions): Promise<Screenshot>;
  windows(): Promise<SandboxWindow[]>;
  focus(window: number): Promise<void>;
  /** The first window whose title and class contain these texts, whatever their case. */
  waitForWindow(
    wanted: { title?: string; class?: string },
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<SandboxWindow>;
  /** Waits until pixels have not changed for `quietMs`, but for an area of `tolerance` pixels (a blinking caret). Gives the milliseconds it took. */
  waitForStill(options?: {
    quietMs?: number;
    timeoutMs?: number;
    tolerance?: number;
    region?: ScreenRegion;
    signal?: AbortSignal;
  }): Promise<number>;
  accessibilityTree(options?: {
    application?: string;
    maxNodes?: number;
    timeoutMs?: number;
  }): Promise<AccessibilityTree>;

  /** Writes a file below the home folder or /tmp, whole or not at all, and the folders above it. */
  putFile(path: string, bytes: Uint8Array, options?: { mode?: number }): Promise<void>;
  /** Reads an ordinary file; links are refused. `maxBytes` is 64 MiB without. */
  getFile(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  listFolder(path: string): Promise<FolderEntry[]>;

  /** Keeps the home folder, for `SandboxOptions.snapshot`. Close applications first: what they hold in memory is not in it. */
  snapshot(): Promise<SandboxSnapshot>;
  /** Lets go without ending the sandbox: `attach` finds it again. */
  detach(): void;
  /** Ends the sandbox and removes what was in it. Repeating it does nothing. */
  close(): Promise<void>;
}

/** Makes sandboxes on one or more hosts. */
export interface SandboxProvider {
  readonly name: SandboxInfo['provider'];
  /** What this provider does not hold, one sentence each; empty when it holds all that the documentation promises. */
  readonly limits: readonly string[];
  /** Why no sandbox of this target can be started, with what to do; null where one can. That all rooms are taken is no reason. */
  missing(target: SandboxTarget): Promise<ForgeError | null>;
  /** Resolves when the desktop is ready. Fails with `sandbox.unavailable` when there is no room or no image, `tool.missing` when the machine lacks a part. */
  start(options?: Partial<SandboxOptions>, signal?: AbortSignal): Promise<Sandbox>;
  /** Takes hold of a running sandbox, such as one of a worker that has died. With `hold: false` only to look: without its holder it still counts as abandoned. */
  attach(id: string, options?: { hold?: boolean }): Promise<Sandbox>;
  list(): Promise<SandboxInfo[]>;
  /** Says who uses a running sandbox from now on: one that was kept ready had no user. */
  lend(id: string, lease: string): Promise<void>;
  /** Ends sandboxes that nobody uses any more: those whose process has died, and those older than `maxAgeMs`. Gives their ids. */
  sweep(options?: { maxAgeMs?: number }): Promise<string[]>;
}

/** The point of the screen that the middle of a pixel of an image shows. Exact: every pixel of an unscaled image is its own. */
export function onScreen({ region, width, height }: ScreenFrame, { x, y }: ScreenPoint): ScreenPoint {
  return {
    x: region.x + Math.min(region.width - 1, Math.floor(((2 * x + 1) * region.width) / (2 * width))),
    y: region.y + Math.min(region.height - 1, Math.floor(((2 * y + 1) * region.height) / (2 * height))),
  };
}
