import { Button, SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useAccountId } from "../../app/account.ts";
import { AlertBanner } from "../../shared/alerts/alert-banner.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlFlag, useUrlState } from "../../shared/url-state.ts";
import { AlertSettings } from "./alert-settings.tsx";
import { balanceQuery } from "./balance-data.ts";
import { BalanceFigures } from "./balance-figures.tsx";
import { Ledger } from "./ledger.tsx";
import { PaymentOrders } from "./payment-orders.tsx";
import { RedeemCode } from "./redeem-code.tsx";
import { balanceTexts } from "./texts.ts";

const fields = { alerts: urlFlag } as const;

/** The money of an account. */
export default function BalancePage() {
  const t = useText(balanceTexts);
  const account = useAccountId();
  const balance = useQuery(balanceQuery(account));
  const [{ alerts }, setUrl] = useUrlState(fields);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={
          <Button
            variant="default"
            leftSection={<IconBell size={16} aria-hidden="true" />}
            onClick={() => setUrl({ alerts: true }, { push: true })}
          >
            {t("alerts")}
          </Button>
        }
      />
      <AlertBanner accountId={account} onBalance />
      <Stack gap="lg">
        <div>
          <Loaded query={balance} skeleton={<Waiting />}>
            {(data) => <BalanceFigures balance={data} />}
          </Loaded>
        </div>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          <RedeemCode account={account} />
          <PaymentOrders account={account} />
        </SimpleGrid>
        <Ledger account={account} />
      </Stack>
      <AlertSettings account={account} opened={alerts === true} onClose={() => setUrl({ alerts: undefined })} />
    </>
  );
}

function Waiting() {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {["available", "balance", "reserved", "spent"].map((name) => (
        <Skeleton key={name} h={94} />
      ))}
    </SimpleGrid>
  );
}
