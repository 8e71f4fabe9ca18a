import { fetchPage, type Product } from "./api.js";

export async function allProducts(): Promise<Product[]> {
  const first = await fetchPage(1);
  const products = [...first.products];
  for (let page = 2; page < first.pages; page += 1) {
    const next = await fetchPage(page);
    products.push(...next.products);
  }
  return products;
}
