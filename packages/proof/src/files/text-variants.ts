const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A line that says something else: its last figure is another one, or a word is added. */
const otherLine = (line: string): string => {
  const at = /\d(?=\D*$)/.exec(line)?.index;
  return at === undefined
    ? `${line} (other)`
    : `${line.slice(0, at)}${(Number(line[at]) + 1) % 10}${line.slice(at + 1)}`;
};

/** For each line that was not there before: the text with that line saying something else. */
export function otherLines(before: Uint8Array | null, after: Uint8Array): { about: string; bytes: Uint8Array }[] {
  const old = new Set(before === null ? [] : decode(before).split('\n'));
  const lines = decode(after).split('\n');
  return lines.flatMap((line, index) =>
    line.trim() === '' || old.has(line)
      ? []
      : [
          {
            about: `line ${index + 1}`,
            bytes: new TextEncoder().encode(lines.map((one, at) => (at === index ? otherLine(one) : one)).join('\n')),
          },
        ],
  );
}
