import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "./mantine.css";
import "./tokens.css";
import "./base.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { problemOf } from "./api/problem.ts";
import { StepUp } from "./frame/StepUp.tsx";
import { router } from "./router.tsx";
import { theme, themeCss } from "./theme.ts";

// As a style sheet that is made, not written into the page: the pages' policy forbids styles in elements.
const variables = new CSSStyleSheet();
variables.replaceSync(themeCss());
document.adoptedStyleSheets.push(variables);

/** A refusal stays one, however often it is asked. */
const mayRetry = (count: number, error: unknown): boolean => {
  const { status } = problemOf(error);
  return count < 2 && (status === 0 || status >= 500);
};

/** A session may have ended meanwhile: the frame asks anew and leads to the sign-in. */
const heard = (error: unknown): void => {
  if (problemOf(error).status === 401) void queries.invalidateQueries({ queryKey: ["session"] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: heard }),
  mutationCache: new MutationCache({ onError: heard }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: mayRetry, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});

// A gateway that was renewed has other files: the page, which names them, is asked for once more.
const RENEWED = "afara.renewed";
window.addEventListener("vite:preloadError", (event) => {
  if (sessionStorage.getItem(RENEWED) === event.payload.message) return;
  event.preventDefault();
  sessionStorage.setItem(RENEWED, event.payload.message);
  location.reload();
});

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
          <Notifications position="bottom-left" />
          <RouterProvider router={router} />
          <StepUp />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
