/** Two-sided 95 % quantile of the normal distribution. */
const z = 1.959963984540054;

/** Bounds of a share that was seen as `accepted` of `judged`, by Wilson's score interval; null where nothing was judged. */
export function acceptanceBounds(accepted: number, judged: number): [number, number] | null {
  if (judged === 0) return null;
  const share = accepted / judged;
  const spread = z * Math.sqrt((share * (1 - share)) / judged + (z * z) / (4 * judged * judged));
  const middle = share + (z * z) / (2 * judged);
  const scale = 1 + (z * z) / judged;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
