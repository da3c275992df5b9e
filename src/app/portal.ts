import { makePortalPart } from "../portal/index.ts";
import { makeRequestLogPart, type RequestLogPart, type RequestLogParts } from "../request-log/index.ts";

/** The pages for people, with the request log that only they read. */
export function makePortal(shared: RequestLogParts): RequestLogPart {
  const portal = makePortalPart(shared);
  const requests = makeRequestLogPart(shared);
  return {
    ...requests,
    serve(http) {
      portal.serve(http);
      requests.serve(http);
    },
  };
}
