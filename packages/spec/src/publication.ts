import { z } from 'zod';

/** A revision that was made the one to run. The newest of a document holds; the others are its history and are never changed. */
export const Publication = z.strictObject({
  /** Grows over the whole store. */
  id: z.number().int(),
  documentId: z.string(),
  revision: z.number().int().positive(),
  note: z.string().max(500),
  /** Name of the user; `shipped` for skills that come with the product. */
  by: z.string(),
  at: z.number().int(),
});
export type Publication = z.infer<typeof Publication>;
export type NewPublication = Omit<Publication, 'id'>;

/**
 * Which revision of a document is meant: the published one (of a document that never was published, the newest), the newest that was saved, or one by its
 * number.
 */
export const RevisionChoice = z.union([z.enum(['published', 'latest']), z.number().int().positive()]);
export type RevisionChoice = z.infer<typeof RevisionChoice>;

/** The part of the store that keeps which revisions are published. */
export interface PublicationLog {
  /**
   * Publishes a revision; answers with what holds now. One that holds already is not published again.
   * @throws ForgeError `not-found` for a revision that is not there
   */
  publish(publication: NewPublication): Promise<Publication>;
  /** What holds, of these documents. */
  publicationsOf(documentIds: readonly string[]): Promise<Publication[]>;
  /** All of one document, newest first. */
  listPublications(documentId: string, limit: number): Promise<Publication[]>;
}

/** POST /api/documents/:id/publish. Without a revision, the newest. */
export const PublishDocument = z.strictObject({
  revision: z.number().int().positive().optional(),
  note: z.string().trim().max(500).default(''),
});
export type PublishDocument = z.infer<typeof PublishDocument>;

/** A schedule that runs the published version and was to be moved to it. */
export const MovedSchedule = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Why it still runs the version of before; null when it was moved. */
  refused: z.string().nullable(),
});
export type MovedSchedule = z.infer<typeof MovedSchedule>;

export const PublishResult = z.strictObject({ publication: Publication, schedules: z.array(MovedSchedule) });
export type PublishResult = z.infer<typeof PublishResult>;

/** GET /api/documents/:id/publications?limit= */
export const PublicationList = z.strictObject({
  /** Newest first: the first holds. */
  publications: z.array(Publication),
  /** The newest revision, which is the draft. */
  draft: z.strictObject({
    revision: z.number().int().positive(),
    /** How many differences of meaning there are to the published one: moved cards are none. Null where none is published, or one of both cannot be read. */
    changes: z.number().int().nonnegative().nullable(),
  }),
});
export type PublicationList = z.infer<typeof PublicationList>;
