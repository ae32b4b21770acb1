/** Called as bytes arrive. `total` is null while the length is unknown. */
export type ReportBytes = (done: number, total: number | null) => void;

/** What a long step tells the person who waits. Neither may throw. */
export interface Reporter {
  /** One finished sentence. */
  line(text: string): void;
  /** A line that replaces the one before it, where the terminal can. */
  update(text: string): void;
}

export const silentReporter: Reporter = { line: () => undefined, update: () => undefined };

/** Writes to a stream (stderr): updates overwrite each other on a terminal, and are thinned out to one in five seconds elsewhere. */
export function streamReporter(stream: NodeJS.WriteStream): Reporter {
  let open = false;
  let last = 0;
  return {
    line(text) {
      stream.write(`${open ? '\r\u001b[K' : ''}${text}\n`);
      open = false;
    },
    update(text) {
      if (stream.isTTY) {
        stream.write(`\r\u001b[K${text}`);
        open = true;
      } else if (Date.now() - last > 5_000) {
        last = Date.now();
        stream.write(`${text}\n`);
      }
    },
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Turns byte counts into "12.0 of 44.5 MB, 8.1 MB/s, 4 s left" updates, at most five a second. */
export function byteProgress(reporter: Reporter, label: string, now: () => number = Date.now): ReportBytes {
  const start = now();
  let shown = start;
  return (done, total) => {
    const time = now();
    if (time - shown < 200 && done !== total) return;
    shown = time;
    const rate = done / Math.max(0.001, (time - start) / 1000);
    const size = total === null ? megabytes(done) : `${megabytes(done)} of ${megabytes(total)}`;
    const left = total === null || rate === 0 ? '' : `, ${Math.ceil((total - done) / rate)} s left`;
    reporter.update(`${label}: ${size}, ${megabytes(rate)}/s${left}`);
  };
}
