import axe from "axe-core";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Fails with every place that breaks WCAG 2.2 AA as far as axe can see it. */
export async function checkAccessibility(page: Page): Promise<void> {
  // Behind the policy of the page: what a test runs is no part of it.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (wanted) => {
    // Left there by the line above.
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const results = await axe.run(document, { runOnly: { type: "tag", values: wanted }, resultTypes: ["violations"] });
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      places: nodes.map(({ target, failureSummary }) => ({ target: target.join(" "), summary: failureSummary ?? "" })),
    }));
  }, tags);
  if (violations.length === 0) return;
  const told = violations.flatMap(({ id, help, places }) => [
    `${id}: ${help}`,
    ...places
      .slice(0, 8)
      .map(({ target, summary }) => `    ${target}\n        ${summary.replaceAll("\n", "\n        ")}`),
    ...(places.length > 8 ? [`    … and ${places.length - 8} more`] : []),
  ]);
  throw new Error(`${page.url()} is not accessible:\n${told.join("\n")}`);
}
