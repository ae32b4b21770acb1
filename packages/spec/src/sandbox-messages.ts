import { z } from 'zod';

/** Number of the protocol between the client and the agent inside a sandbox; both refuse another. */
export const sandboxProtocol = 1;

const Pixel = z.number().int().min(0).max(32_767);
export const ScreenPoint = z.strictObject({ x: Pixel, y: Pixel });
export type ScreenPoint = z.infer<typeof ScreenPoint>;

export const ScreenRegion = z.strictObject({
  x: Pixel,
  y: Pixel,
  width: z.number().int().min(1).max(32_767),
  height: z.number().int().min(1).max(32_767),
});
export type ScreenRegion = z.infer<typeof ScreenRegion>;

/** How an image lies on the screen: `width` x `height` pixels show `region`. */
export const ScreenFrame = z.object({
  region: ScreenRegion,
  width: z.number().int().min(1),
  height: z.number().int().min(1),
});
export type ScreenFrame = z.infer<typeof ScreenFrame>;

export const MouseButton = z.enum(['left', 'middle', 'right', 'back', 'forward']);
export type MouseButton = z.infer<typeof MouseButton>;
export const ScrollDirection = z.enum(['up', 'down', 'left', 'right']);
export type ScrollDirection = z.infer<typeof ScrollDirection>;

export const SandboxWindow = z.object({
  id: z.number().int(),
  title: z.string(),
  class: z.string(),
  pid: z.number().int().nullable(),
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  active: z.boolean(),
  minimized: z.boolean(),
});
export type SandboxWindow = z.infer<typeof SandboxWindow>;

/** One node of the tree that assistive technology sees. `parent` is an index into the same list, which is in the order of the tree. */
export const AccessibilityNode = z.object({
  parent: z.number().int().nullable(),
  role: z.string(),
  name: z.string(),
  text: z.string().nullable(),
  states: z.array(z.string()),
  /** In pixels of the screen; null for what is not shown. */
  box: z
    .object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() })
    .nullable(),
});
export type AccessibilityNode = z.infer<typeof AccessibilityNode>;
export const AccessibilityTree = z.object({ nodes: z.array(AccessibilityNode), truncated: z.boolean() });
export type AccessibilityTree = z.infer<typeof AccessibilityTree>;

export const CommandResult = z.object({
  /** 124 when the time was up. */
  exitCode: z.number().int(),
  timedOut: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  /** Bytes of output beyond `maxBytes`, which were left out. */
  droppedBytes: z.number().int().min(0),
  /** The shell had to be started again: folder, variables and functions are those of a new one. */
  restarted: z.boolean().default(false),
});
export type CommandResult = z.infer<typeof CommandResult>;

export const FolderEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().int(),
});
export type FolderEntry = z.infer<typeof FolderEntry>;

export const AgentHello = z.object({
  protocol: z.literal(sandboxProtocol),
  pid: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  home: z.string(),
  display: z.string(),
});
export type AgentHello = z.infer<typeof AgentHello>;

const Nothing = z.object({});

/** What the agent answers to each operation. */
export const agentResults = {
  hello: AgentHello,
  move: Nothing,
  click: Nothing,
  button: Nothing,
  drag: Nothing,
  scroll: Nothing,
  key: Nothing,
  focus: Nothing,
  type: z.object({ characters: z.number().int() }),
  screenshot: ScreenFrame.extend({ data: z.base64() }),
  windows: z.object({ windows: z.array(SandboxWindow) }),
  waitForWindow: z.object({ window: SandboxWindow }),
  waitForStill: z.object({ afterMs: z.number() }),
  accessibility: AccessibilityTree,
  exec: CommandResult,
  shell: CommandResult,
  launch: z.object({ pid: z.number().int() }),
  get: z.object({ size: z.number().int(), sha256: z.string(), mode: z.number().int() }),
  list: z.object({ entries: z.array(FolderEntry) }),
  putBegin: z.object({ handle: z.string() }),
  putChunk: Nothing,
  putEnd: Nothing,
  archiveHome: z.object({ path: z.string(), size: z.number().int() }),
  restoreHome: z.object({ members: z.number().int() }),
} as const;
export type AgentOperation = keyof typeof agentResults;
export type AgentResult<Op extends AgentOperation> = z.infer<(typeof agentResults)[Op]>;

/** What the agent sends, one JSON object a line. */
export const AgentMessage = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), result: z.unknown() }),
  z.object({
    id: z.number().int(),
    ok: z.literal(false),
    error: z.object({
      code: z.enum(['refused', 'timeout', 'lost', 'failed']),
      message: z.string(),
      fix: z.string().optional(),
    }),
  }),
  z.object({ id: z.number().int(), stream: z.enum(['stdout', 'stderr', 'data']), data: z.string() }),
]);
export type AgentMessage = z.infer<typeof AgentMessage>;
