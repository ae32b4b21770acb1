const MARK = '#';

/** Id of a note or frame among the cards; ids of nodes never start like that. */
export const annotationCardId = (id: string): string => MARK + id;
/** Id within the document; undefined for a card that is no annotation. */
export const annotationIdOf = (cardId: string): string | undefined =>
  cardId.startsWith(MARK) ? cardId.slice(MARK.length) : undefined;
