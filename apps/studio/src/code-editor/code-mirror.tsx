import { acceptCompletion, autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { completionsAt, type Scope } from './completions.ts';
import { type CodeLanguage, languageOf } from './languages.ts';

export interface CodeMirrorProps {
  id: string;
  label: string;
  language: CodeLanguage;
  value: string;
  scope: Scope;
  readOnly: boolean;
  invalid: boolean;
  hint: string;
  autoFocus: boolean;
  onChange(value: string): void;
  onBlur(): void;
}

const look = HighlightStyle.define([
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.number, color: 'var(--run)' },
  { tag: tags.keyword, color: 'var(--accent-strong)', fontWeight: '600' },
  { tag: tags.macroName, color: 'var(--warn)' },
  { tag: tags.variableName, color: 'var(--bad)' },
  { tag: tags.propertyName, color: 'var(--text)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.brace, tags.operator], color: 'var(--accent-strong)' },
]);

const theme = EditorView.theme({
  '&': {
    font: '12px/1.5 var(--mono)',
    color: 'var(--text)',
    background: 'var(--surface)',
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', maxHeight: '360px', overflow: 'auto' },
  '.cm-content': { minHeight: '58px', padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-content[aria-invalid="true"]': { boxShadow: 'inset 2px 0 0 var(--bad)' },
  '.cm-line': { padding: '0 9px' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    border: '1px solid var(--border)',
    borderRadius: '7px',
    boxShadow: 'var(--shadow-high)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px', maxHeight: '220px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '10px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
});

/** What the page has selected in the editor. The editor's own selection lags behind it when both change at once. */
function selectedIn(view: EditorView): { from: number; to: number } {
  const { root } = view;
  const selection = document.getSelection();
  const [range] = root instanceof ShadowRoot ? (selection?.getComposedRanges?.({ shadowRoots: [root] }) ?? []) : [];
  if (range === undefined || !view.contentDOM.contains(range.startContainer)) return view.state.selection.main;
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}

/**
 * Text typed over a selection is replaced here: the browser itself would keep the look of what was selected by an
 * inline style, which the policy of the pages refuses.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || event.data === '') return false;
    if (view.composing || view.state.readOnly) return false;
    const { from, to } = selectedIn(view);
    if (from >= to) return false;
    view.dispatch({
      changes: { from, to, insert: event.data },
      selection: { anchor: from + event.data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

const kindNames = { port: 'variable', field: 'property', function: 'function', keyword: 'keyword' } as const;

/**
 * The text editor itself. It lives in a shadow root: there its styles are made through the style sheet objects of the
 * browser, which the policy of the pages allows; in the page itself they would be inline.
 */
export default function CodeMirror(props: CodeMirrorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const attributes = useRef(new Compartment());
  useEffect(() => {
    latest.current = props;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes later goes in below
  useLayoutEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const complete = (context: CompletionContext) => {
      const { language, scope } = latest.current;
      const text = context.state.doc.toString();
      const found = completionsAt(language, text, context.pos, scope);
      if (
        found === null ||
        (!context.explicit && found.from === context.pos && !/[.{$|\s]$/.test(text.slice(0, context.pos)))
      )
        return null;
      return {
        from: found.from,
        options: found.options.map(({ label, detail, kind }) => ({ label, detail, type: kindNames[kind] })),
        validFor: /^\$?\w*$/,
      };
    };
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          history(),
          // Tab stays the way out of the field; it takes a completion only while some are offered.
          keymap.of([{ key: 'Tab', run: acceptCompletion }, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          languageOf(props.language),
          syntaxHighlighting(look),
          bracketMatching(),
          autocompletion({ override: [complete], icons: false, maxRenderedOptions: 60, interactionDelay: 0 }),
          typeOver,
          EditorView.lineWrapping,
          theme,
          placeholder(props.hint),
          attributes.current.of(attributesOf(props)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
            if (update.focusChanged && !update.view.hasFocus) latest.current.onBlur();
          }),
        ],
      }),
    });
    view.current = made;
    if (props.autoFocus) made.focus();
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  const { value, readOnly, invalid, label } = props;
  useLayoutEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === value) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are all that the attributes show
  useLayoutEffect(() => {
    view.current?.dispatch({ effects: attributes.current.reconfigure(attributesOf(props)) });
  }, [readOnly, invalid, label]);
  return <div ref={host} id={props.id} className="code-host" />;
}

const attributesOf = ({ readOnly, invalid, label }: CodeMirrorProps) => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-invalid': String(invalid), spellcheck: 'false' }),
];
