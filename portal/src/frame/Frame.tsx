import { Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { addressOf, takeNext } from "../api/next.ts";
import { usePlace } from "../api/place.ts";
import { useSession } from "../api/session.ts";
import { SkeletonRows } from "../pieces/Page.tsx";
import { ProblemView } from "../pieces/ProblemView.tsx";
import styles from "./Frame.module.css";
import { Sidebar } from "./Sidebar.tsx";
import { TopBar } from "./TopBar.tsx";

/** Sidebar, top bar, and the page between them, for who is signed in. */
export function Frame() {
  const session = useSession();
  const { mode } = usePlace();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the sheet
  useEffect(close, [pathname]);

  const isSignedOut = session.data?.person === null;
  useEffect(() => {
    const next = `${location.pathname}${location.search}`.slice("/portal".length);
    if (!isSignedOut || next.startsWith("/sign-in")) return; // it is on its way there
    void navigate({ to: "/sign-in", search: next.length > 1 ? { next } : {}, replace: true });
  }, [isSignedOut, navigate]);

  const email = session.data?.person?.email;
  useEffect(() => {
    const next = email !== undefined && pathname === "/" ? takeNext(email) : undefined;
    if (next === undefined) return;
    const address = addressOf(next);
    if (address.startsWith("/portal")) void navigate({ href: address, replace: true });
    else location.replace(address);
  }, [email, pathname, navigate]);

  if (isSignedOut) return null;
  const body = session.data ? (
    <Suspense fallback={<SkeletonRows count={4} />}>
      <Outlet />
    </Suspense>
  ) : session.error ? (
    <ProblemView error={session.error} again={() => void session.refetch()} />
  ) : (
    <SkeletonRows count={6} />
  );
  return (
    <div className={styles.frame} data-mode={mode}>
      <a href="#content" className={styles.skip}>
        Skip to the page
      </a>
      <div className={styles.sidebar}>
        <Sidebar isLocal={session.data?.gateway.local === true} />
      </div>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="left"
        size={264}
        title="Pages"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Sidebar isLocal={session.data?.gateway.local === true} isSheet />
      </Drawer>
      <div className={styles.right}>
        <TopBar openSheet={open} />
        <main id="content" tabIndex={-1} className={styles.content}>
          {body}
        </main>
      </div>
    </div>
  );
}
