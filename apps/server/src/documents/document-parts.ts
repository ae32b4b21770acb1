import type { ReadDocument } from './read-document.ts';

/** A part of a document, made once: the same object for the same document. */
function partOf<T>(make: (read: ReadDocument) => T): (read: ReadDocument) => T {
  const made = new WeakMap<ReadDocument, T>();
  return (read) => {
    const part = made.get(read) ?? make(read);
    made.set(read, part);
    return part;
  };
}

/** A document without its text and findings. */
export const graphOf = partOf(({ record: { source: _, ...record }, document }) => ({ record, document }));
/** What stands against a document. */
export const findingsOf = partOf(({ findings }) => ({ findings }));
