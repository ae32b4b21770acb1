import { RunEvent } from '@cua-forge/spec/store-port';
import { z } from 'zod';

export type Stream = 'connecting' | 'live' | 'reconnecting';

/** Events of one run from its first on, of one batch, or of everything; the latter two from now on. */
export interface FeedFilter {
  run?: string;
  batch?: string;
  /** Id of the last event that is known already. */
  after?: number;
  /** Of what happens in map items, only what lies right below this path; of the rest `onItems` tells. */
  inside?: string;
}

const Items = z.object({ maps: z.array(z.string()) });

const AGAIN_MS = 2_000;

/**
 * Follows the server's events. The browser resumes after a broken connection by itself; where it gives up, this opens a
 * new one behind the last event seen. Returns the function that ends it.
 */
export function followFeed(
  filter: FeedFilter,
  onEvent: (event: RunEvent) => void,
  onStream: (stream: Stream) => void,
  onItems: (maps: readonly string[]) => void = () => {},
): () => void {
  let last = filter.after ?? 0;
  const { after: _, ...wanted } = filter;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const receive = (message: MessageEvent<string>) => {
    const event = parse(message.data);
    if (event === null || event.id <= last) return;
    last = event.id;
    onEvent(event);
  };
  const open = () => {
    const after = filter.run !== undefined || last > 0 ? { after: String(last) } : {};
    const stream = new EventSource(`/api/events?${new URLSearchParams({ ...wanted, ...after })}`);
    source = stream;
    stream.onopen = () => onStream('live');
    stream.onerror = () => {
      onStream('reconnecting');
      if (stream.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, AGAIN_MS);
    };
    stream.onmessage = receive;
    stream.addEventListener('items', (message: MessageEvent<string>) => {
      const items = Items.safeParse(JSON.parse(message.data));
      if (items.success) onItems(items.data.maps);
    });
    for (const type of RunEvent.shape.type.options) stream.addEventListener(type, receive);
  };
  onStream('connecting');
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

function parse(text: string): RunEvent | null {
  try {
    return RunEvent.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
