/** A baker in Galicia with a shop on the web: Spanish, and English from the developer of the shop. */
import { note } from "../NaturalNote.ts"

export const ines = [
  note(
    "i-pedidos",
    "2025-05-09",
    "procedure",
    "Los pedidos por internet se cierran a las 20:00 para recogerlos al día siguiente."
  ),
  note("i-harina-old", "2025-02-20", "fact", "La harina la compramos en Molinos del Duero."),
  note(
    "i-harina-new",
    "2026-04-14",
    "decision",
    "Desde abril compramos la harina, toda ecológica, en la Harinera La Antigua."
  ),
  note("i-gluten", "2025-06-11", "fact", "No vendemos nada sin gluten: en el obrador hay contaminación cruzada."),
  note(
    "i-shop",
    "2025-05-10",
    "fact",
    "The web shop runs on WooCommerce; plugins are updated on Mondays, when the bakery is closed."
  ),
  note("i-redsys", "2025-09-29", "fact", "Los cobros con tarjeta van por Redsys, con una comisión del 0,4 %."),
  note(
    "i-horno",
    "2025-03-07",
    "procedure",
    "El horno grande tarda 50 minutos en llegar a 240 grados: encenderlo a las cuatro."
  ),
  note(
    "i-alquiler",
    "2026-01-05",
    "fact",
    "El alquiler del local son 1.300 euros, se paga el día 5 a la señora Barral."
  ),
  note("i-penicilina", "2025-08-16", "fact", "Mateo es alérgico a la penicilina."),
  note("i-teatro", "2026-09-18", "fact", "La función de teatro del colegio es el 19 de diciembre a las seis."),
  note("i-suegros", "2025-10-26", "fact", "Los suegros vienen a comer el segundo domingo de cada mes."),
  note(
    "i-roscon",
    "2025-12-10",
    "procedure",
    "El roscón de Reyes se puede encargar hasta el 3 de enero, con nata o sin ella."
  ),
  note("i-itv", "2026-02-01", "fact", "La furgoneta pasa la ITV en marzo."),
  note("i-yoga", "2025-09-30", "fact", "Los martes a las 21:00 hay yoga en el centro cívico."),
  note(
    "i-seo",
    "2025-11-14",
    "procedure",
    "Product pages need a meta description under 155 characters and a photo at least 1200 px wide."
  ),
  note(
    "i-backup",
    "2025-07-18",
    "procedure",
    "A copy of the shop's database goes to the Synology at home every night at 3; restore it with `wp db import`."
  ),
  note("i-gestoria", "2025-04-24", "fact", "La gestoría es Iglesias y Paz; las nóminas se mandan antes del 25."),
  note("i-fiesta", "2026-05-02", "fact", "La panadería cumple diez años el 6 de junio y habrá fiesta en la calle."),
  note("i-paquita", "2025-03-01", "procedure", "La masa madre se llama Paquita y se refresca dos veces al día."),
  note("i-tuteo", "2025-05-12", "preference", "Los textos de la tienda tutean al cliente, nunca de usted."),
  note("i-cuenta", "2026-01-06", "fact", "IBAN de la cuenta del local: ES91 2100 0418 4502 0005 1332")
]
