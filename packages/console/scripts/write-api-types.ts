/** Writes the types of the management API, by which the console's requests are checked: `npm run api-types`. */
import { writeFileSync } from "node:fs";
import { apiTypes } from "./api-types.ts";

writeFileSync(new URL("../src/api/schema.d.ts", import.meta.url), await apiTypes());
