import { useState } from "react";
import { FirstOperator } from "./first-operator.tsx";
import { Invitation } from "./invitation.tsx";

/** Where one-time links lead: that to the first operator (`#token=`), and invitations (`#invite=`). */
export default function SetupPage() {
  // Behind the `#`, which browsers send nowhere; behind the `?` of links that were written by hand.
  const [invite] = useState(
    () =>
      new URLSearchParams(window.location.hash.slice(1)).get("invite") ??
      new URLSearchParams(window.location.search).get("invite"),
  );
  return invite === null ? <FirstOperator /> : <Invitation token={invite} />;
}
