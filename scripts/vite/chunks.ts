const SIGN_IN_MODULES =
  /Button|Loader|Input|PasswordField|hooks\/useForm|AuthPage|PageHead|ActionIcon|hooks\/documentTitle/;
const RARELY_USED_MODULES = /maplibre|react-map-gl|phone/;

/** Groups of modules. By default a dashboard would load 44 tiny files, which is slower on a phone and 6 kB more. */
export const CHUNK_GROUPS = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 4 },
  { name: 'first', tags: ['$initial' as const], priority: 3 },
  { name: 'sign-in', test: SIGN_IN_MODULES, minShareCount: 4, priority: 2 },
  { name: 'common', test: (id: string) => !RARELY_USED_MODULES.test(id), minShareCount: 7, priority: 1 },
];
