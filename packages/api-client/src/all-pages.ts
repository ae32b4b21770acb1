interface Page {
  next: string | null;
}

/** Members of all pages of a list, in order. `load` asks for the page of a cursor, and `members` takes them out of a page. */
export async function allPages<P extends Page, T>(
  load: (page: { cursor?: string }) => Promise<P>,
  members: (page: P) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  let page = await load({});
  found.push(...members(page));
  while (page.next !== null) {
    page = await load({ cursor: page.next });
    found.push(...members(page));
  }
  return found;
}
