// PLACEHOLDER: whoever owns this page replaces the whole file.
import { PageHeader } from "../../shared/page-header.tsx";

export default function Page() {
  return <PageHeader title="home" />;
}
