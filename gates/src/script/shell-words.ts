/** A simple command of a script: its words as the shell would read them, and the line it starts on. */
export interface ShellCommand {
  words: string[];
  line: number;
}

export interface ParsedScript {
  commands: ShellCommand[];
  /** What is wrong with the syntax, with the line. Empty when nothing is. */
  problems: string[];
}

const closers: Record<string, string> = { if: 'fi', for: 'done', while: 'done', until: 'done', case: 'esac', '{': '}' };
const leaders = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', '!', '{', '}', 'fi', 'done', 'esac']);

/**
 * Reads the bash that setup scripts are written in: quotes, comments, simple commands, groups and the usual compound commands.
 * Variables and substitutions inside double quotes are kept as text.
 */
export function parseShell(source: string): ParsedScript {
  const reader = new ShellReader(source);
  reader.read();
  return { commands: reader.commands, problems: reader.problems };
}

class ShellReader {
  readonly commands: ShellCommand[] = [];
  readonly problems: string[] = [];
  readonly #source: string;
  readonly #open: { closer: string; line: number }[] = [];
  #at = 0;
  #line = 1;
  #word: string | null = null;
  #quoted = false;
  #words: string[] = [];
  #start = 1;

  constructor(source: string) {
    this.#source = source;
  }

  read(): void {
    while (this.#at < this.#source.length) this.#step();
    this.#endCommand();
    for (const { closer, line } of this.#open) this.problems.push(`line ${line}: what begins here has no ${closer}`);
  }

  #step(): void {
    const char = this.#next();
    const rest = this.#source.slice(this.#at, this.#at + 1);
    if (char === '\\') {
      const escaped = this.#next();
      if (escaped !== '\n') this.#add(escaped);
    } else if (char === "'") this.#until("'", false);
    else if (char === '"') this.#until('"', true);
    else if (char === '$' && rest === '(') this.#substitution();
    else if (char === '#' && this.#word === null) this.#comment();
    else if (char === '\n' || char === ';' || char === '&' || char === '|' || char === '(' || char === ')') {
      // `>&1` and `&>` are redirections.
      if (char === '&' && (this.#word?.endsWith('>') === true || rest === '>')) {
        this.#add(char);
        return;
      }
      this.#endCommand();
      if (char === '(') this.#open.push({ closer: ')', line: this.#line });
      if (char === ')' && this.#open.at(-1)?.closer === ')') this.#open.pop();
    } else if (char === ' ' || char === '\t') this.#endWord();
    else this.#add(char);
  }

  #next(): string {
    const char = this.#source.charAt(this.#at);
    this.#at += 1;
    if (char === '\n') this.#line += 1;
    return char;
  }

  #add(text: string): void {
    if (this.#word === null && this.#words.length === 0) this.#start = this.#line;
    this.#word = (this.#word ?? '') + text;
  }

  #until(quote: string, escapes: boolean): void {
    const line = this.#line;
    this.#add('');
    this.#quoted = true;
    while (this.#at < this.#source.length) {
      const char = this.#next();
      if (char === quote) return;
      if (escapes && char === '\\') {
        const escaped = this.#next();
        this.#add('"\\$`'.includes(escaped) ? escaped : escaped === '\n' ? '' : `\\${escaped}`);
      } else if (escapes && char === '$' && this.#source.charAt(this.#at) === '(') this.#substitution();
      else this.#add(char);
    }
    this.problems.push(`line ${line}: a quote ${quote} is not closed`);
  }

  /** `$( … )`: taken as text, with whatever is nested in it. */
  #substitution(): void {
    const line = this.#line;
    this.#add('$');
    let depth = 0;
    while (this.#at < this.#source.length) {
      const char = this.#next();
      this.#add(char);
      if (char === '(') depth += 1;
      if (char === ')') depth -= 1;
      if (depth === 0) return;
    }
    this.problems.push(`line ${line}: a substitution $( is not closed`);
  }

  #comment(): void {
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== '\n') this.#at += 1;
  }

  #endWord(): void {
    if (this.#word === null) return;
    const keyword = !this.#quoted && this.#words.length === 0;
    if (keyword) this.#keyword(this.#word);
    if (!(keyword && leaders.has(this.#word))) this.#words.push(this.#word);
    this.#word = null;
    this.#quoted = false;
  }

  #keyword(word: string): void {
    const closer = closers[word];
    if (closer !== undefined) this.#open.push({ closer, line: this.#line });
    if (word === '}' || word === 'fi' || word === 'done' || word === 'esac') {
      const opened = this.#open.pop();
      if (opened?.closer !== word) this.problems.push(`line ${this.#line}: ${word} closes nothing that is open here`);
    }
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.commands.push({ words: this.#words, line: this.#start });
    this.#words = [];
  }
}
