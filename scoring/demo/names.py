"""Random names: common first names and surnames, and fictitious towns."""

from random import Random


def words(text: str) -> list[str]:
    """Split a text into words. This makes the long lists of names easier to read."""
    return text.split()


WOMEN = words(
    """Adela Alba Alicia Amparo Ana Ángela Aurora Beatriz Begoña Belén Blanca Carlota Carmen Carolina
Celia Clara Concepción Consuelo Cristina Elena Elvira Emilia Esperanza Eugenia Eva Gloria Inés Irene Isabel
Josefina Juana Julia Laura Leonor Lourdes Lucía Luisa Magdalena Margarita María Marina Marta Matilde Mercedes
Milagros Mónica Nieves Nuria Olga Patricia Paula Pilar Raquel Remedios Rocío Rosa Rosario Sara Silvia Sofía
Soledad Teresa Valentina Verónica Victoria Virginia Yolanda"""
)
MEN = words(
    """Adolfo Adrián Agustín Alberto Alejandro Alfonso Alfredo Álvaro Andrés Ángel Antonio Arturo Benito
Carlos César Claudio Daniel David Diego Domingo Eduardo Emilio Enrique Ernesto Esteban Felipe Félix Fernando
Francisco Gabriel Gerardo Gonzalo Gregorio Guillermo Gustavo Héctor Ignacio Iván Jaime Javier Joaquín Jorge
José Juan Julián Leandro Lorenzo Lucas Luis Manuel Marcos Mariano Mario Martín Mateo Miguel Nicolás Óscar
Pablo Pascual Pedro Rafael Ramiro Ramón Raúl Ricardo Roberto Rodrigo Salvador Santiago Sergio Tomás
Vicente Víctor"""
)
SURNAMES = words(
    """Aguilar Alonso Álvarez Arias Arroyo Ballesteros Barrios Benítez Blanco Bravo Caballero Cabrera
Calvo Campos Cano Carmona Carrasco Castillo Castro Cordero Cortés Crespo Cruz Delgado Díaz Díez Domínguez
Duarte Durán Escudero Esteban Fernández Ferrer Flores Fuentes Gallardo Gallego García Garrido Gil Giménez
Gómez González Guerrero Gutiérrez Hernández Herrera Herrero Hidalgo Ibáñez Iglesias Jiménez Lara León López
Lorenzo Lozano Luna Marín Márquez Martín Martínez Medina Méndez Mendoza Merino Molina Montero Mora Morales
Moreno Moya Muñoz Navarro Nieto Núñez Ortega Ortiz Parra Pascual Pastor Peña Pérez Prieto Ramírez Ramos Rey
Reyes Rivera Robles Rodríguez Román Romero Rojas Rubio Ruiz Sáez Sánchez Santana Santiago Santos Sanz Serrano
Soler Soto Suárez Torres Vargas Vázquez Vega Velasco Vera Vicente Vidal Vila"""
)

TOWN_BEGINNINGS = words(
    """Al Argen Bel Berro Camba Campo Casti Cala Era Espi Floren Fonte Gala Lagu Lumi Mira Monte
Nava Oli Pena Pinar Puerto Ribe Roca Salgue Sego Sierra Torre Val Vega Villa Zarza"""
)
TOWN_ENDINGS = words(
    """bazas boreal breda clara cinto dorada fina flor frida gaz gris lejos luna mansa mar marina
mayor nieve nova plata queda quieta ralda reina rosa serena sola suave sombra tal triunfo umbra vento verde
viva zul"""
)
CLUB_KINDS = ["Club de Bridge {}", "Bridge Club {}", "Círculo de Bridge de {}", "Peña Bridge {}",
              "Casino de {}", "Real Tenis y Bridge {}"]  # fmt: skip
REGIONS = ["Norte Cantil", "Levante Claro", "Meseta Alta", "Sur Sereno", "Islas del Naipe", "Poniente Viejo",
           "Valles Altos", "Costa Quieta", "Tierras Llanas", "Ribera Larga", "Montes Pardos", "Bahía Mansa",
           "Campos Fríos", "Sierra Blanca", "Marca Vieja", "Cabo Hondo", "Dehesa Grande"]  # fmt: skip


def person(rng: Random) -> tuple[str, str, bool]:
    """Return a random first name, two surnames in one text, and whether the first name is a woman's."""
    woman = rng.random() < 0.55
    first_name = rng.choice(WOMEN if woman else MEN)
    if rng.random() < 0.15:
        first_name += f" {rng.choice(WOMEN if woman else MEN)}"
    return first_name, f"{rng.choice(SURNAMES)} {rng.choice(SURNAMES)}", woman


def regions(count: int) -> list[str]:
    """Return `count` different names of regions."""
    rounds = -(-count // len(REGIONS))
    names = [name if turn == 0 else f"{name} {turn + 1}" for turn in range(rounds) for name in REGIONS]
    return names[:count]


def clubs(count: int, rng: Random) -> list[tuple[str, str]]:
    """Return `count` different (club name, town). In large federations a town has several clubs."""
    towns = [begin + end for begin in TOWN_BEGINNINGS for end in TOWN_ENDINGS]
    rng.shuffle(towns)
    return [
        (_club(towns[number % len(towns)], number // len(towns), rng), towns[number % len(towns)])
        for number in range(count)
    ]


def _club(town: str, turn: int, rng: Random) -> str:
    name = rng.choice(CLUB_KINDS).format(town)
    return name if turn == 0 else f"{name} {turn + 1}"
