import { ServicePage } from "../service/ServicePage.tsx";
import { TryCable } from "./TryCable.tsx";

export const Cable = () => (
  <ServicePage
    service="cable"
    title="Cable TV"
    line="Verify a smartcard, and renew or change its bouquet."
    icon="cable"
    magic="cable"
  >
    <TryCable />
  </ServicePage>
);
