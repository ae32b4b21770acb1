/** How a variant of an evaluation is called. */
export const variantText = ({ revision, model }: { revision: number; model: string | null }): string =>
  model === null ? `Revision ${revision}` : `Revision ${revision}, ${model}`;
