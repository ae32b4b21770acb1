/**
 * The place that checks judge: a sandbox, a folder of files, or a test. What a place cannot tell it leaves out, and checks
 * that need it fail with `tool.missing`, so that nothing is judged that was not seen.
 */
export interface StateReader {
  /** Bytes of a file, or null where there is none. Paths are those of the sandbox. */
  readFile(path: string): Promise<Uint8Array | null>;
  /** Names of what lies in a folder, sorted, or null where there is no folder. */
  listFiles(path: string): Promise<string[] | null>;
  /** Command lines of what runs. */
  processes?(): Promise<string[]>;
  /** Titles of the windows. */
  windows?(): Promise<string[]>;
  /** The screen as a PNG. */
  screenshot?(): Promise<Uint8Array>;
  /** Runs a program without a shell; `output` is what it wrote to both outputs. */
  run?(command: readonly string[]): Promise<{ code: number; output: string }>;
}
