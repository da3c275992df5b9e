import { ServicePage } from "../service/ServicePage.tsx";
import { TryElectricity } from "./TryElectricity.tsx";

export const Electricity = () => (
  <ServicePage
    service="electricity"
    title="Electricity"
    line="Verify a meter, buy for it, and see the token arrive."
    icon="electricity"
    magic="electricity"
  >
    <TryElectricity />
  </ServicePage>
);
