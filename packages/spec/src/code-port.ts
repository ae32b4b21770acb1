import type { Json, JsonObject } from './json.ts';

/** A program: the body of an async JavaScript function of `inputs` that returns JSON. */
export interface CodeProgram {
  source: string;
  inputs: JsonObject;
  /** Seed of Math.random, 32 bits. */
  seed: number;
  /** What the clock says, in milliseconds since 1970; it stands still, in UTC. */
  now: number;
  timeoutMs: number;
  memoryBytes: number;
  /** Characters of the result as JSON. */
  maxOutput: number;
  /** Characters of all console lines together; the rest is left out. */
  maxLog: number;
}

export interface CodeResult {
  /** `null` where the program returns nothing. */
  value: Json;
  /** What the program wrote to the console, a text for each call. */
  logs: string[];
}

/** Runs programs that nobody vouches for, apart from everything else: no files, network, process, modules or host objects. */
export interface CodePort {
  /**
   * Equal programs give equal results.
   * @throws ForgeError `code.failed` with the line, `code.limit`; `node.cancelled` when aborted
   */
  run(program: CodeProgram, signal: AbortSignal): Promise<CodeResult>;
}
