// Where the files of the page lie: at addresses that name their content, so that they are fetched once and kept.
const list = document.getElementById("assets")?.textContent;
/** @type {Record<string, string>} what every file's content is called */
const editions = list ? JSON.parse(list) : {};

/** @param {string} name of a file below service/web, or games/<key>/… */
export const asset = (name) => (name in editions ? `/static/${editions[name]}/${name}` : `/static/${name}`);

/** Whether there is such a file. @param {string} name */
export const exists = (name) => name in editions;

/** All that the page is made of, for who wants to keep it. */
export const everything = () => Object.keys(editions).map(asset);
