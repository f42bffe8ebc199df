/** The styles of the prerendered screens and of every page's header, which index.html links. */
const PRERENDERED_STYLES =
  /\/web\/(pages\/(ClothesLine|Landing\w*|PriceSlider|prices|QuestionList)|ui\/(AuthPage|Fold|Logo|PageHeader|PriceTable))\.module\.css/;
/** Used by the schemas, the landing page and the dashboards, none of which must load another of them. */
const BASICS =
  /@tanstack|\/domain\/(?!texts|passwordStrength|mapLines|csv)|\/web\/ui\/(Logo|formatMoney|errorMessage|loadSizeLabel)/;
// Not those of the console, which stay in its own file: nobody else loads any of it.
const SCHEMAS = /node_modules\/zod\/|\/contract\/(?!operator|screenFields|call|client|failures|validationErrors)/;
const CONTROLS =
  /\/(Button|Loader|ActionIcon)\/|PageHead|RefreshButton|ui\/(Banner|StorageNotice)|hooks\/documentTitle|\/(use-id|use-merged-ref|get-env)\//;
const INPUTS = /Input|PasswordField|ui\/useForm|AuthPage/;
const OTHER_FIELDS = /\/(Textarea|NativeSelect)\/|ui\/NumberField/;
/** No screen begins with a dialog. */
const DIALOGS = /\/web\/ui\/Dialog\.tsx$/;
/** What more than one dashboard shows. What these modules import comes along. */
const DASHBOARD_PARTS =
  /\/web\/(shell\/Shell|firstSteps\/FirstSteps|documents\/LazyDocuments|lists\/DataTable|ui\/(StatCard|SectionHeader|EmptyState)|hooks\/singlePress|api\/guesses|places\/useDistance|orders\/(columns|live\/LiveOrderSlot)|deliveries\/(dashboardQuery|ownDelivery)|live\/(refetchAffected|deliveryTaken))\.tsx?$/;
/** A Duber's dashboard, and what the pages of deliveries share with it. */
const DELIVERIES = /\/web\/deliveries\/(dashboard\/DuberDashboard|columns|queuedSteps\/QueuedSteps)\.tsx$/;
/** What orders and deliveries say about each other. */
const DELIVERY_WORDS = /\/web\/deliveries\/(problemSteps|pickupAndDrop|paths)\.ts$/;
/** Begins when the first screen shows. */
const LIVE_UPDATES = /\/web\/live\/LiveUpdates\.tsx$/;

/** Groups of modules that share a file. Without them a dashboard loads 44 small files, which wait for each other (decision 085). */
export const CHUNK_GROUPS = [
  // By its name it belongs to the console: no other page has it.
  { name: 'OperatorApp-passkeys', test: /@simplewebauthn/, priority: 9 },
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 7 },
  { name: 'first', tags: ['$initial' as const], priority: 6 },
  { name: 'prerendered', test: PRERENDERED_STYLES, priority: 8 },
  { name: 'basics', test: BASICS, minShareCount: 3, priority: 5 },
  { name: 'failures', test: /\/contract\/failures/, priority: 4.5 },
  { name: 'schemas', test: SCHEMAS, priority: 4 },
  { name: 'controls', test: CONTROLS, minShareCount: 4, priority: 3 },
  { name: 'inputs', test: INPUTS, minShareCount: 4, priority: 2.5 },
  { name: 'fields', test: OTHER_FIELDS, minShareCount: 4, priority: 2.4 },
  { name: 'dialogs', test: DIALOGS, priority: 2.2 },
  { name: 'signed-in', test: DASHBOARD_PARTS, priority: 2 },
  { name: 'delivery-words', test: DELIVERY_WORDS, priority: 1.9 },
  { name: 'live', test: LIVE_UPDATES, priority: 1.8 },
  { name: 'deliveries', test: DELIVERIES, priority: 1.5 },
  { name: 'common', test: /\/web\//, minShareCount: 7, priority: 1 },
];
