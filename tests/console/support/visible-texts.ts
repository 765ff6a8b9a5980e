import type { Page } from "playwright-core";

/** Everything that a reader of the page meets: visible texts, and what stands in labels and hints. */
export function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>();
    const add = (text: string | null) => {
      const trimmed = text?.replace(/\s+/g, " ").trim();
      if (trimmed) texts.add(trimmed);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) {
        const parent = node.parentElement;
        if (parent && !parent.closest("script, style, noscript, pre, code")) add(node.data);
        continue;
      }
      if (node instanceof Element)
        for (const name of ["aria-label", "placeholder", "alt"]) add(node.getAttribute(name));
    }
    add(document.title);
    return [...texts];
  });
}
