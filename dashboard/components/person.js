// Remembers a name in this browser for a year, or forgets it.

const YEAR = 365 * 24 * 60 * 60;

export default ({ data }) => {
  const age = data.name ? YEAR : 0;
  document.cookie = `${data.cookie}=${encodeURIComponent(data.name)}; path=/; max-age=${age}; SameSite=Lax`;
};
