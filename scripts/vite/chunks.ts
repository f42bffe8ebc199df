/** The styles of the prerendered screens and of every page's header, which index.html links. */
const PRERENDERED_STYLES =
  /\/web\/(pages\/(ClothesLine|Landing\w*|PriceSlider|prices|QuestionList)|ui\/(AuthPage|Fold|Logo|PageHeader|PriceTable))\.module\.css/;
/** Used by the schemas, the landing page and the dashboards, none of which must load another of them. */
const BASICS = /@tanstack|\/domain\/(?!texts)|\/web\/ui\/(Logo|formatMoney|errorMessage|loadSizeLabel)/;
// Not those of the console, which stay in its own file: nobody else loads any of it.
const SCHEMAS = /node_modules\/zod\/|\/contract\/(?!operator|screenFields|call|client|failures|validationErrors)/;
const CONTROLS = /Button|Loader|PageHead|ActionIcon|hooks\/documentTitle/;
const INPUTS = /Input|PasswordField|ui\/useForm|AuthPage/;
/** What all three dashboards show. What these modules import comes along. */
const DASHBOARD_PARTS =
  /\/web\/(shell\/Shell|firstSteps\/FirstSteps|lists\/DataTable|ui\/(StatCard|SectionHeader|EmptyState)|orders\/(columns|live\/LiveOrderSlot)|deliveries\/(dashboardQuery|ownDelivery)|live\/(refetchAffected|deliveryTaken))\.tsx?$/;
/** A Duber's dashboard, and what the pages of deliveries share with it. */
const DELIVERIES = /\/web\/deliveries\/(dashboard\/DuberDashboard|columns|queuedSteps\/QueuedSteps)\.tsx$/;
/** Begins when the first screen shows. */
const LIVE_UPDATES = /\/web\/live\/LiveUpdates\.tsx$/;
const RARELY_USED_MODULES = /maplibre|react-map-gl|phone/;

/** Groups of modules that share a file. Without them a dashboard loads 44 small files, which wait for each other (decision 085). */
export const CHUNK_GROUPS = [
  // By its name it belongs to the console: no other page has it.
  { name: 'OperatorApp-passkeys', test: /@simplewebauthn/, priority: 9 },
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 7 },
  { name: 'first', tags: ['$initial' as const], priority: 6 },
  { name: 'prerendered', test: PRERENDERED_STYLES, priority: 8 },
  { name: 'basics', test: BASICS, minShareCount: 3, priority: 5 },
  { name: 'schemas', test: SCHEMAS, priority: 4 },
  { name: 'controls', test: CONTROLS, minShareCount: 4, priority: 3 },
  { name: 'inputs', test: INPUTS, minShareCount: 4, priority: 2.5 },
  { name: 'signed-in', test: DASHBOARD_PARTS, priority: 2 },
  { name: 'live', test: LIVE_UPDATES, priority: 1.8 },
  { name: 'deliveries', test: DELIVERIES, priority: 1.5 },
  { name: 'common', test: (id: string) => !RARELY_USED_MODULES.test(id), minShareCount: 7, priority: 1 },
];
