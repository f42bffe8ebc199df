let pageTitle = '';
let waitingCount = 0;

function updateDocumentTitle(): void {
  if (pageTitle !== '') document.title = waitingCount > 0 ? `(${waitingCount}) ${pageTitle}` : pageTitle;
}

/** Names the browser's tab after the page, behind the number of what waits. */
export function setPageTitle(title: string): void {
  pageTitle = title;
  updateDocumentTitle();
}

/** Puts the number of what waits for this person before the tab's title. */
export function setWaitingCount(count: number): void {
  waitingCount = count;
  updateDocumentTitle();
}
