/**
 * What a screen reader says, one after the other: a log is read in its order, and
 * nothing that is added to it cuts off what is being read.
 * @module
 */

const MOST_KEPT = 12;
const log = document.getElementById("said");

/** A dot is read out by its name, so a comma stands for it. @param {string[]} texts those that are empty say nothing */
export function announce(...texts) {
  for (const text of texts.filter(Boolean)) {
    const line = document.createElement("p");
    line.textContent = text.replaceAll(" · ", ", ");
    log?.append(line);
  }
  while (log && log.childElementCount > MOST_KEPT) log.firstElementChild?.remove();
}
