/** Whether two JSON values say the same, whatever the order of members; a member that is undefined counts as none. Parts that both share are not looked into. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => sameJson(each, b[index]))
    );
  const [left, right] = [membersOf(a), membersOf(b)];
  return (
    left.length === right.length &&
    left.every(([name, value]) => Object.hasOwn(b, name) && sameJson(value, Reflect.get(b, name)))
  );
}

const membersOf = (object: object) => Object.entries(object).filter(([, value]) => value !== undefined);
