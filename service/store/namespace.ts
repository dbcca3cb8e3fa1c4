/** The one namespace of today; it is in every unique key, so that more can follow. */
export const NAMESPACE = 'default';
