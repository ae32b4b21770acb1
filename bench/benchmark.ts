/** One figure, with what it was measured against in the same run. */
export interface BenchmarkResult {
  metric: string;
  value: number;
  unit: string;
  /** The same figure of the other side; null where there is none. */
  against: number | null;
  /** Ours over theirs, greater is better; null where there is nothing to compare with. */
  ratio: number | null;
  /** What the project aims at. */
  aim: string;
}

export interface BenchmarkOptions {
  /** Repetitions, or interleaved pairs. */
  pairs: number;
  /** Runs only workloads whose name contains this. */
  only: string;
  /** File of further examples for gates; none by default. */
  examples?: string | undefined;
}

export interface Benchmark {
  name: string;
  /** Repetitions where nobody says how many; 5 where this does not either. */
  pairs?: number;
  /** `report` gets lines of progress. */
  run(report: (line: string) => void, options: BenchmarkOptions): Promise<BenchmarkResult[]>;
}
