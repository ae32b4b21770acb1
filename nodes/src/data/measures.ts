const notAdditive =
  /%|\b(price|rate|margin|percent|ranking|level|avg|average|mean|score|rating|performance|ratio|share|age|growth|unit cost)\b/i;
const identifier = /\b(id|no|nr|code|sku|zip|phone|year|month|rank|sort ?order)\b|^order$/i;
const counted = /\b(units?|qty|quantity|stock|count|items|pieces|hours|days|orders|visits|heads?|headcount)\b/i;

/** Whether numbers under this heading name things, as ids and codes do. */
export const isIdentifier = (heading: string): boolean => identifier.test(heading);

/** Whether adding up the numbers under this heading makes sense, as far as the heading tells. */
export const isAdditive = (heading: string): boolean => !notAdditive.test(heading) && !identifier.test(heading);

/** Measures of one sort, money or counts, that can be set against each other; empty when no two are. */
export function comparableMeasures(headings: readonly string[]): string[] {
  const counts = headings.filter((heading) => counted.test(heading));
  const amounts = headings.filter((heading) => !counted.test(heading));
  if (amounts.length >= 2) return amounts;
  return counts.length >= 2 ? counts : [];
}
