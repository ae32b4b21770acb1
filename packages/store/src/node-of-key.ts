/** The node of a document that a path means, whichever map item or iteration: `files[3]/draft` and `files[8]/draft` are one. */
export const nodeOfKey = (key: string): string => key.replace(/\[\d+\]|#\d+/g, '');
