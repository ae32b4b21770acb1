import { useStoreApi } from '@xyflow/react';
import { useLayoutEffect, useRef } from 'react';
import { dotsApart, offsetOf } from './dots.ts';

/** The dotted ground below the cards. It moves along with them: painting it anew for each step takes longer than all the rest. */
export function Ground() {
  const ground = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  useLayoutEffect(() => {
    let shown: number | undefined;
    const follow = () => {
      const style = ground.current?.style;
      if (style === undefined) return;
      const [x, y, zoom] = store.getState().transform;
      const apart = dotsApart(zoom);
      if (apart !== shown) {
        style.inset = `${-apart}px`;
        style.backgroundSize = `${apart}px ${apart}px`;
        shown = apart;
      }
      style.transform = `translate(${offsetOf(x, apart)}px, ${offsetOf(y, apart)}px)`;
    };
    follow();
    return store.subscribe(follow);
  }, [store]);
  return <div ref={ground} className="ground" aria-hidden />;
}
