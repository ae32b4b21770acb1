import { StreamLanguage, type StringStream } from '@codemirror/language';

export type CodeLanguage = 'jsonata' | 'liquid';

/** Words that JSONata and Liquid know; completions offer them too. */
export const jsonataFunctions =
  'abs append assert average base64decode base64encode boolean ceil contains count distinct each error exists filter floor formatBase formatInteger formatNumber fromMillis join keys length lookup lowercase map match max merge min not number pad parseInteger power reduce replace reverse round sift single sort split spread sqrt string substring substringAfter substringBefore sum toMillis trim type uppercase zip'.split(
    ' ',
  );
export const liquidTags =
  'if elsif else endif unless endunless case when endcase for endfor break continue assign capture endcapture comment endcomment raw endraw increment decrement cycle'.split(
    ' ',
  );
export const liquidFilters =
  'abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape first floor join json last lstrip map minus modulo newline_to_br plus prepend remove replace replace_first reverse round rstrip size slice sort sort_natural split strip strip_html sum times truncate truncatewords uniq upcase url_decode url_encode where'.split(
    ' ',
  );

/** Reads one token of JSONata. */
function jsonataToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/\*.*?(?:\*\/|$)/)) return 'comment';
  if (stream.match(/^"(?:[^"\\]|\\.)*(?:"|$)/) || stream.match(/^'(?:[^'\\]|\\.)*(?:'|$)/)) return 'string';
  if (stream.match(/^`[^`]*`?/)) return 'propertyName';
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^\$[A-Za-z_]\w*(?=\s*\()/)) return 'macroName';
  if (stream.match(/^\$+\w*/)) return 'variableName';
  if (stream.match(/^(?:and|or|in|function|true|false|null)\b/)) return 'keyword';
  if (stream.match(/^[A-Za-z_]\w*/)) return 'propertyName';
  if (stream.match(/^(?:~>|:=|!=|<=|>=|\.\.|[-+*/%&=<>?:^@#|])/)) return 'operator';
  stream.next();
  return null;
}

interface LiquidState {
  /** What the cursor stands in. */
  within: 'text' | 'output' | 'tag';
  /** The next word names a tag or a filter. */
  naming: boolean;
}

function liquidToken(stream: StringStream, state: LiquidState): string | null {
  if (state.within === 'text') {
    const open = stream.match(/^\{[{%]-?/);
    if (open !== null && open !== false && open !== true) {
      state.within = open[0].startsWith('{%') ? 'tag' : 'output';
      state.naming = state.within === 'tag';
      return 'brace';
    }
    if (!stream.skipTo('{')) stream.skipToEnd();
    else if (stream.pos === stream.start) stream.next();
    return null;
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^-?[}%]\}/)) {
    state.within = 'text';
    return 'brace';
  }
  if (stream.match(/^"[^"]*"?/) || stream.match(/^'[^']*'?/)) return 'string';
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number';
  if (stream.match(/^\|/)) {
    state.naming = true;
    return 'operator';
  }
  if (stream.match(/^[A-Za-z_][\w-]*/)) {
    const [named, within] = [state.naming, state.within];
    state.naming = false;
    if (named) return within === 'tag' ? 'keyword' : 'macroName';
    return /^(?:and|or|contains|in|true|false|nil|empty|blank)$/.test(stream.current()) ? 'keyword' : 'propertyName';
  }
  if (stream.match(/^(?:==|!=|<=|>=|[<>:.,=])/)) return 'operator';
  stream.next();
  return null;
}

const languages: Record<CodeLanguage, StreamLanguage<unknown>> = {
  jsonata: StreamLanguage.define({ name: 'jsonata', token: jsonataToken }),
  liquid: StreamLanguage.define<LiquidState>({
    name: 'liquid',
    startState: () => ({ within: 'text', naming: false }),
    token: liquidToken,
  }),
};

export const languageOf = (language: CodeLanguage): StreamLanguage<unknown> => languages[language];
