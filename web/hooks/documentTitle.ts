let pageTitle = '';
let waitingCount = 0;

function updateDocumentTitle(): void {
  if (pageTitle !== '') document.title = waitingCount > 0 ? `(${waitingCount}) ${pageTitle}` : pageTitle;
}

/** Sets the title of the browser tab. The waiting count stays in front of it. */
export function setPageTitle(title: string): void {
  pageTitle = title;
  updateDocumentTitle();
}

/** Shows in the tab's title how many things wait for this user. */
export function setWaitingCount(count: number): void {
  waitingCount = count;
  updateDocumentTitle();
}
