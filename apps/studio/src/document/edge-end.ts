/** The two halves of `node.port`; node is `$inputs` for an input of the graph. */
export interface End {
  node: string;
  port: string;
}

export const INPUTS_NODE = '$inputs';
export const OUTPUTS_NODE = '$outputs';

export function parseEnd(text: string): End {
  const dot = text.indexOf('.');
  return { node: text.slice(0, dot), port: text.slice(dot + 1) };
}

export const formatEnd = (end: End): string => `${end.node}.${end.port}`;
