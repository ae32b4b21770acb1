/** What to do where an id names nothing: the address of the API that lists what there is, such as `runs` or `documents/ID/revisions`. */
export const listedAt = (list: string): string => `GET /api/${list} lists them.`;

/** The list that such a fix names, without members of lists; null for any other fix. A page for people leads there instead. */
export const listOf = (fix: string): string | null => /^GET \/api\/(\w+) lists them\.$/.exec(fix)?.[1] ?? null;
