import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface Place {
  readonly key: string;
  /** Counts how often it was moved to: the focus follows each time. */
  readonly moves: number;
}

interface RowsProps {
  readonly keys: readonly string[];
  readonly rowPixels: number;
  readonly columnCount: number;
  /** The row that has the focus, or had it: it stays in the page however far it is scrolled away. */
  readonly place: Place | undefined;
  readonly hasMore: boolean;
  readonly readMore: () => void;
  readonly row: (index: number) => ReactNode;
}

/** Rows below and above what is seen. */
const OVERSCAN = 12;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 30;
/** What covers the page's upper edge: the bar, and the heads of the columns. */
const COVERED_PIXELS = 140;

/** Of a table's rows, those that are seen; the others are room. */
export function VirtualRows({ keys, rowPixels, columnCount, place, hasMore, readMore, row }: RowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useTop(body);
  const kept = place ? keys.indexOf(place.key) : -1;
  const virtual = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => rowPixels,
    getItemKey: (index) => keys[index] ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PIXELS,
    scrollPaddingEnd: rowPixels,
    useFlushSync: false,
    rangeExtractor: (range) => withKept(range, kept),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are measured anew
  useLayoutEffect(() => virtual.measure(), [rowPixels]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is moved to, not whenever rows come
  useEffect(() => {
    if (!place?.moves || kept < 0) return;
    virtual.scrollToIndex(kept, { align: "auto" });
    body.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(place.key)}"]`)?.focus({ preventScroll: true });
  }, [place]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= keys.length - AHEAD) readMore();
  }, [hasMore, last, keys.length, readMore]);

  const gaps = items.map(({ start }, at) => start - (items[at - 1]?.end ?? top));
  return (
    <tbody ref={body}>
      {items.map(({ key, index }, at) => (
        <Fragment key={String(key)}>
          <Room pixels={gaps[at] ?? 0} columnCount={columnCount} />
          {row(index)}
        </Fragment>
      ))}
      <Room pixels={virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top)} columnCount={columnCount} />
    </tbody>
  );
}

const Room = ({ pixels, columnCount }: { readonly pixels: number; readonly columnCount: number }) =>
  pixels > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has nothing that could be focused
    <tr aria-hidden="true" data-room>
      <td colSpan={columnCount} style={{ height: pixels }} />
    </tr>
  ) : null;

function withKept(range: Range, kept: number): number[] {
  const indexes = defaultRangeExtractor(range);
  return kept < 0 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((one, other) => one - other);
}

/** Where the rows begin on the page, which moves with what stands above them. */
function useTop(body: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [body]);
  return top;
}
