import type { GraphDocument } from '@cua-forge/spec/document';
import { apply, type Command } from './command.ts';
import { sameJson } from './same-json.ts';

interface Step {
  undo: Command;
  redo: Command;
  /** Steps in a row with the same key are one step: typing in one field. */
  merge: string | undefined;
}

/** A document with its past and future. `saved` is what the server holds; `stored` is false for one that it has never seen. */
export interface History {
  document: GraphDocument;
  past: readonly Step[];
  future: readonly Step[];
  saved: { document: GraphDocument; stored: boolean };
  dirty: boolean;
}

const LIMIT = 500;

export function openHistory(document: GraphDocument, unsaved = false): History {
  return {
    document,
    past: [],
    future: [],
    saved: { document, stored: !unsaved },
    dirty: unsaved,
  };
}

function withDocument(
  history: History,
  document: GraphDocument,
  past: readonly Step[],
  future: readonly Step[],
): History {
  const { saved } = history;
  return {
    document,
    past,
    future,
    saved,
    dirty: !saved.stored || !sameJson(document, saved.document),
  };
}

/** Applies one command as one step; with `merge`, a step in a row with the same key joins the one before. */
export function perform(history: History, command: Command, merge?: string): History {
  const { document, inverse } = apply(history.document, command);
  const last = history.past.at(-1);
  const step: Step =
    merge !== undefined && last?.merge === merge && history.future.length === 0
      ? { undo: batch(inverse, last.undo), redo: batch(last.redo, command), merge }
      : { undo: inverse, redo: command, merge };
  const kept = step.undo === inverse ? history.past : history.past.slice(0, -1);
  return withDocument(history, document, [...kept.slice(-LIMIT + 1), step], []);
}

const batch = (...commands: Command[]): Command => ({
  type: 'batch',
  commands: commands.flatMap((each) => (each.type === 'batch' ? each.commands : [each])),
});

/** Ends merging: what is typed next is a step of its own. */
export function seal(history: History): History {
  const last = history.past.at(-1);
  if (last?.merge === undefined) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, merge: undefined }] };
}

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (step === undefined) return history;
  const { document } = apply(history.document, step.undo);
  return withDocument(history, document, history.past.slice(0, -1), [{ ...step, merge: undefined }, ...history.future]);
}

export function redo(history: History): History {
  const step = history.future[0];
  if (step === undefined) return history;
  const { document } = apply(history.document, step.redo);
  return withDocument(history, document, [...history.past, step], history.future.slice(1));
}

/** Marks `document` (what a save has just stored) as saved; later edits stay unsaved. */
export function markSaved(history: History, document: GraphDocument): History {
  return { ...history, saved: { document, stored: true }, dirty: !sameJson(history.document, document) };
}
