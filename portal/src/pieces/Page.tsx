import { Skeleton } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import styles from "./Page.module.css";

interface PageProps {
  readonly title: string;
  /** What this page answers. */
  readonly line: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Afara`;
  }, [title]);
}

/** The head of a page within the frame, and what it holds. */
export function Page({ title, line, action, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          <p className="soft">{line}</p>
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

/** Rows of a table that is being read, as high as the rows will be. */
export const SkeletonRows = ({ count, height = 44 }: { readonly count: number; readonly height?: number }) => (
  <div aria-busy="true" role="status" aria-label="Loading" className={styles.rows}>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <Skeleton key={index} height={height - 8} my={4} />
    ))}
  </div>
);
