let page = '';
let waiting = 0;

function write(): void {
  if (page !== '') document.title = waiting > 0 ? `(${waiting}) ${page}` : page;
}

/** Names the browser's tab after the page, behind the number of what waits. */
export function setTitle(title: string): void {
  page = title;
  write();
}

/** Puts the number of what waits for this person before the tab's title. */
export function setWaiting(count: number): void {
  waiting = count;
  write();
}
